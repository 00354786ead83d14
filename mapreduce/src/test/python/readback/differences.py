"""In what two tables differ, by row and column."""

SHOWN_MAX = 20


def differences(wanted, found):
    """A sentence for each difference; those of names and types come alone, since nothing can be compared then."""
    if found.names != wanted.names:
        return [f"the columns are {found.names}, not {wanted.names}"]
    types = [
        f"column {name} is of type {is_type}, not {should}"
        for name, should, is_type in zip(wanted.names, wanted.types, found.types)
        if is_type != should
    ]
    return types or [*_rows(wanted.keys, found.keys), *_values(wanted, found)]


def _rows(wanted, found):
    place = {row: number for number, row in enumerate(wanted)}
    seen, last = set(), None
    for row in found:
        if row not in place:
            yield f"row {row!r} is not in the table"
            continue
        if row in seen:
            yield f"row {row!r} is there twice"
        elif last is not None and place[row] < place[last]:
            yield f"row {row!r} stands behind row {last!r}"
        seen.add(row)
        last = row
    yield from (f"row {row!r} is missing" for row in wanted if row not in seen)


def _values(wanted, found):
    at = {row: number for number, row in enumerate(found.keys)}
    for name, should_be, are in zip(wanted.names, wanted.values, found.values):
        if should_be == are:
            continue
        for row, should in zip(wanted.keys, should_be):
            if row in at and are[at[row]] != should:
                yield f"row {row!r}, column {name}: {are[at[row]]!r}, not {should!r}"


def shown(sentences):
    """The first ones, and how many there are."""
    more = len(sentences) - SHOWN_MAX
    return sentences[:SHOWN_MAX] + ([f"and {more} more"] if more > 0 else [])
