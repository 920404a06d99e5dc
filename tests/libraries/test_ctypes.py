"""ctypes: values, structures, arrays, and pointers into the graph."""

import ctypes

import graphcopy


class Node(ctypes.Structure):
    _fields_ = [("n", ctypes.c_int), ("at", ctypes.POINTER(ctypes.c_int)), ("name", ctypes.c_char_p)]


def test_values_structures_and_arrays():
    array = (ctypes.c_double * 3)(1, 2, 3)
    copied, number = graphcopy.copy([array, ctypes.c_int(7)])
    copied[0] = 9
    assert list(array) == [1, 2, 3] and list(copied) == [9, 2, 3] and number.value == 7
    buffer = ctypes.create_string_buffer(b"abc", 10)
    assert graphcopy.copy(buffer).raw == buffer.raw


def test_pointers_lead_into_the_copy_or_nowhere():
    target = ctypes.c_int(5)
    node = Node(1, ctypes.pointer(target), b"name")
    copied, its = graphcopy.copy([node, target])
    its.value = 9
    assert copied.at[0] == 9 and node.at[0] == 5 and copied.name == b"name" and copied.n == 1
    alone = graphcopy.copy(node)
    assert not alone.at and alone.name == b"name"
    assert graphcopy.copy(ctypes.c_char_p(b"x")).value == b"x"
