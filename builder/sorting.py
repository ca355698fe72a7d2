"""Tables whose rows come in no useful order, sorted and each row once."""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc


def merged(tables: Sequence[pa.Table], keys: Sequence[str]) -> pa.Table:
    """The rows of all tables in ascending order of `keys`; of rows with the same keys, the first."""
    found = pa.concat_tables(tables)
    found = found.take(pc.sort_indices(found, sort_keys=[(key, "ascending") for key in keys]))
    if found.num_rows < 2:
        return found
    later, earlier = found.slice(1), found.slice(0, found.num_rows - 1)
    differs = pc.not_equal(later[keys[0]], earlier[keys[0]])
    for key in keys[1:]:
        differs = pc.or_(differs, pc.not_equal(later[key], earlier[key]))
    return found.filter(pa.chunked_array([pa.array([True]), *differs.chunks]))
