package org.grampus.mapreduce.input;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** {@code grampus mapredcp}: the class path of a job over the input formats, like HBase's. */
public final class JobClassPath {
  /** Where Hadoop looks for the jars that a job ships. */
  private static final String JARS_KEY = "tmpjars";

  private JobClassPath() {}

  /** Prints it. */
  public static void main(String[] args) throws IOException {
    System.out.println(String.join(File.pathSeparator, jars()));
  }

  /** The jars, as paths of this machine, in the order of their names. */
  static List<String> jars() throws IOException {
    Configuration conf = new Configuration();
    JobJars.add(conf);
    return conf.getStringCollection(JARS_KEY).stream()
        .map(jar -> new Path(jar).toUri().getPath())
        .sorted()
        .collect(Collectors.toList());
  }
}
