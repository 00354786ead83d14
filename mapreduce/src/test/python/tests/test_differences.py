"""Whatever differs is found."""

import unittest
from copy import deepcopy

from readback.differences import SHOWN_MAX, differences, shown
from readback.table import Table

WANTED = Table(["key", "n", "text"], ["string", "int64", "string"], [["a", "b", "c"], [1, None, 3], ["", None, "x"]])


class DifferencesTest(unittest.TestCase):
    def found(self, change):
        table = deepcopy(WANTED)
        change(table)
        return differences(WANTED, table)

    def rows(self, *numbers):
        def change(table):
            table.values = [[column[number] for number in numbers] for column in table.values]

        return self.found(change)

    def test_what_is_the_same_has_none(self):
        self.assertEqual(self.rows(0, 1, 2), [])

    def test_a_changed_value(self):
        self.assertEqual(self.found(lambda table: table.values[1].__setitem__(2, 4)), ["row 'c', column n: 4, not 3"])

    def test_null_is_neither_zero_nor_empty(self):
        self.assertEqual(self.found(lambda table: table.values[1].__setitem__(1, 0)), ["row 'b', column n: 0, not None"])
        self.assertEqual(self.found(lambda table: table.values[2].__setitem__(0, None)), ["row 'a', column text: None, not ''"])

    def test_a_missing_row_is_one_difference(self):
        self.assertEqual(self.rows(0, 2), ["row 'b' is missing"])

    def test_a_row_too_many(self):
        self.assertEqual(self.rows(0, 1, 1, 2), ["row 'b' is there twice"])
        more = self.found(lambda table: [column.append(value) for column, value in zip(table.values, ["d", 1, ""])])
        self.assertEqual(more, ["row 'd' is not in the table"])

    def test_a_swapped_order(self):
        self.assertEqual(self.rows(0, 2, 1), ["row 'b' stands behind row 'c'"])

    def test_another_name_and_another_order_of_columns(self):
        self.assertEqual(len(self.found(lambda table: table.names.__setitem__(1, "m"))), 1)
        self.assertEqual(len(self.found(lambda table: table.names.reverse())), 1)

    def test_another_type(self):
        wrong = self.found(lambda table: table.types.__setitem__(1, "int32"))
        self.assertEqual(wrong, ["column n is of type int32, not int64"])

    def test_many_are_cut(self):
        self.assertEqual(len(shown(["x"] * SHOWN_MAX)), SHOWN_MAX)
        self.assertEqual(shown(["x"] * (SHOWN_MAX + 2))[-1], "and 2 more")
