"""Rows of Grampus and HBase tables as Arrow record batches.

`read` gives a `pyarrow.RecordBatchReader`, which pyarrow, DuckDB, Polars and pandas take.
"""

from grampus._read import read
from grampus._stream import GrampusError

__all__ = ["GrampusError", "read"]
