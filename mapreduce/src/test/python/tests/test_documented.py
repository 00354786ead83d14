"""Every block of commands and of Python of the pages is listed with what runs it. A block that is new fails here until it is, too."""

import unittest

from readback.documented import DOCS, blocks

# What runs them beside `readback.documented`: perf-eval/scripts/downloads, sparkback, and `bin/grampus perf hadoop`, which takes the whole section.
_RUN = {
    ("mapreduce.md", "sh"): ["MilesByCarrier", "spark-submit", "hadoop jar $HBASE_JOBS", "--yarn", "hadoop jar build/example.jar"],
    ("mapreduce.md", "python"): ['spark.read.format("grampus")', "import grampus", "newAPIHadoopRDD"],
    ("python.md", "sh"): ["pip install"],
    ("python.md", "python"): ["import grampus"],
    ("spark.md", "python"): ["flights = (", "copy = "],
    ("spark.md", "java"): ["spark.read()"],
    ("downloads.md", "sh"): ["bin/grampus download"],
    ("imports.md", "sh"): ["bin/grampus import"],
}
_JAVA_OF_JUNIT = "mapreduce.md"  # DocumentedJavaTest


class EveryBlock(unittest.TestCase):
    def test_is_run(self):
        for page in ("mapreduce.md", "python.md", "spark.md", "downloads.md", "imports.md"):
            for language in ("sh", "python", "java"):
                if (page, language) == (_JAVA_OF_JUNIT, "java"):
                    continue
                found = blocks(DOCS / page, language)
                marks = _RUN.get((page, language), [])
                self.assertEqual(len(marks), len(found), f"{language} of {page}")
                for mark in marks:
                    self.assertEqual(1, sum(mark in block for block in found), f"{mark} in {page}")


if __name__ == "__main__":
    unittest.main()
