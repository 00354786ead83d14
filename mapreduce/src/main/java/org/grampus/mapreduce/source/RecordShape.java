package org.grampus.mapreduce.source;

import java.util.List;

/**
 * The columns of records. Sources keep one for as many records as have it.
 *
 * @param names of the columns
 * @param ofFile whether all records of the file have these columns, so that one that is missing
 *     here is missing everywhere; otherwise a record may have others
 */
public record RecordShape(List<String> names, boolean ofFile) {}
