package org.grampus.spark.read;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;

/**
 * The splits of a scan.
 *
 * @param conf leads their readers to the rows
 * @param splits in the order of rows
 * @param lease what must be referred to as long as the splits are read; null when there is nothing
 */
public record Planned(Configuration conf, List<? extends InputSplit> splits, Object lease) {}
