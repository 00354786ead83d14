package org.grampus.mapreduce.source;

import java.util.List;
import java.util.Set;
import org.grampus.mapreduce.files.FileFormat;

/**
 * How files are to be read.
 *
 * @param format of all files; null tells it by their names
 * @param header names of the columns of tables of text without a header line; null takes them from
 *     the first line
 * @param wanted columns that are needed; null for all
 */
public record SourceOptions(FileFormat format, List<String> header, Set<String> wanted) {}
