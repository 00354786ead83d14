package org.grampus.compat.filter;

/** Tags of the engine's filters (docs/jni.md). */
final class FilterTag {
  static final int ROW = 1;
  static final int FAMILY = 2;
  static final int QUALIFIER = 3;
  static final int VALUE = 4;
  static final int DEPENDENT_COLUMN = 5;
  static final int SINGLE_COLUMN_VALUE = 6;
  static final int SINGLE_COLUMN_VALUE_EXCLUDE = 7;
  static final int COLUMN_VALUE = 8;
  static final int PREFIX = 9;
  static final int INCLUSIVE_STOP = 10;
  static final int PAGE = 11;
  static final int COLUMN_COUNT_GET = 12;
  static final int COLUMN_PAGINATION = 13;
  static final int COLUMN_PREFIX = 14;
  static final int MULTIPLE_COLUMN_PREFIX = 15;
  static final int COLUMN_RANGE = 16;
  static final int FIRST_KEY_ONLY = 17;
  static final int FIRST_KEY_VALUE_MATCHING_QUALIFIERS = 18;
  static final int KEY_ONLY = 19;
  static final int TIMESTAMPS = 20;
  static final int FUZZY_ROW = 21;
  static final int MULTI_ROW_RANGE = 22;
  static final int RANDOM_ROW = 23;
  static final int SKIP = 24;
  static final int WHILE_MATCH = 25;
  static final int LIST = 26;
  static final int FILTER_ALL = 27;

  private FilterTag() {}
}
