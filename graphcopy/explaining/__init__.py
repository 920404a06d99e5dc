"""Explaining: what stops copy.deepcopy, pickle, cloudpickle, dill or graphcopy, all of it in one pass."""
