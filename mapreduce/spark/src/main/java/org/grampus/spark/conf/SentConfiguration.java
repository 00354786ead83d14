package org.grampus.spark.conf;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;

/** A configuration that can be sent to executors, with all that files on the driver said. */
public final class SentConfiguration implements Serializable {
  private static final long serialVersionUID = 1;

  private transient Configuration conf;

  /** One that is not changed any more. */
  public SentConfiguration(Configuration conf) {
    this.conf = conf;
  }

  /** The configuration, which is not the caller's own. */
  public Configuration get() {
    return conf;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    conf.write(out);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    conf = new Configuration(false);
    conf.readFields(in);
  }
}
