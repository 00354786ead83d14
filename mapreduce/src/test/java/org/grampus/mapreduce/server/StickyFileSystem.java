package org.grampus.mapreduce.server;

import java.io.IOException;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A local disk from which notes of failures and directories of one import cannot be deleted. */
public final class StickyFileSystem extends LocalFileSystem {
  private static final String NOTES = "_failures";
  private static final String OF_IMPORT = "_?[0-9]{8}-.*";

  /** For Hadoop, which makes it by its name. */
  public StickyFileSystem() {
    super(new Disk());
  }

  private static final class Disk extends RawLocalFileSystem {
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
      if (path.getName().equals(NOTES)) {
        throw new IOException(path + " stays");
      }
      return !path.getName().matches(OF_IMPORT) && super.delete(path, recursive);
    }
  }
}
