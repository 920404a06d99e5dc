"""PySpark in local mode: functions of an RDD, broadcast variables, UDFs."""

from __future__ import annotations

import shutil

import pytest
from programs import CHECKS, KINDS, guarded, run

pytest.importorskip("pyspark")
pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")

SPARK = """
import os
import sys
os.environ["PYSPARK_PYTHON"] = sys.executable  # the workers' Python, which has graphcopy
from pyspark.sql import SparkSession
from pyspark.sql.functions import udf
from pyspark.sql.types import DoubleType

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
obj = make()
(back,) = spark.sparkContext.parallelize([Shipment(obj)], 1).map(lambda each: use(each, 5)).collect()
check(obj, back)

closure = Shipment(make())
assert spark.sparkContext.parallelize([5], 1).map(lambda by: closure.get().step(by)).collect() == [FIRST]

broadcast = spark.sparkContext.broadcast(Shipment(make()))
assert spark.sparkContext.parallelize([5], 1).map(lambda by: broadcast.value.get().step(by)).collect() == [FIRST]

step = udf(lambda by: float(broadcast.value.get().step(by)), DoubleType())
rows = spark.createDataFrame([(5.0,), (2.0,)], ["by"]).coalesce(1).select(step("by").alias("after")).collect()
assert {row.after for row in rows} <= {float(FIRST), float(FIRST) + 2, 5.0, 10.0}, rows
assert len(rows) == 2
spark.stop()
print("right")
"""


@KINDS
def test_functions_broadcasts_and_udfs(kind, tmp_path):
    assert run(kind + CHECKS + guarded(SPARK), tmp_path) == "right"
