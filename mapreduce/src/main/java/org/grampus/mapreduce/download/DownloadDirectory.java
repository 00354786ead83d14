package org.grampus.mapreduce.download;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.grampus.mapreduce.command.FailureNotes;
import org.grampus.mapreduce.files.DurableFile;

/**
 * The directory of a download: what must be there before a job, which run of the command it belongs
 * to, and what failed tasks leave.
 */
final class DownloadDirectory {
  private final FileSystem fs;
  private final DownloadLayout layout;

  DownloadDirectory(Configuration conf, DownloadLayout layout) throws IOException {
    this.fs = layout.fileSystem(conf);
    this.layout = layout;
  }

  /**
   * Prepares the directory for a new download, which belongs to this run from here on.
   *
   * @throws IOException when something is there
   */
  void begin() throws IOException {
    requireIncomplete();
    if (fs.exists(layout.plan())) {
      throw new IOException(
          layout.directory()
              + " has an unfinished download; go on with --resume if its snapshot was named, or"
              + " remove the directory");
    }
    requireEmpty();
    fs.delete(layout.unfinished(), true); // one that never had a plan
    own();
  }

  /**
   * Prepares the directory for the rest of a download, which belongs to this run from here on.
   *
   * @param wanted the request, as a plan has it
   * @throws IOException when there is no download, or one of another request
   */
  void resume(String wanted) throws IOException {
    requireIncomplete();
    DownloadPlan.requireSame(fs, layout, wanted);
    own();
    fs.delete(layout.attemptsOfAll(), true);
    fs.delete(layout.failures(), true);
  }

  private void requireIncomplete() throws IOException {
    if (fs.exists(layout.success())) {
      throw new IOException(layout.directory() + " has a complete download already");
    }
  }

  private void requireEmpty() throws IOException {
    if (!fs.exists(layout.directory())) {
      return;
    }
    for (FileStatus status : fs.listStatus(layout.directory())) {
      if (!status.getPath().getName().equals(layout.unfinished().getName())) {
        throw new IOException(
            layout.directory() + " is not empty: " + status.getPath().getName() + " is there");
      }
    }
  }

  private void own() throws IOException {
    DurableFile.write(fs, layout.owner(), layout.run().getBytes(StandardCharsets.UTF_8));
    fs.mkdirs(layout.done());
  }

  /**
   * Looks whether the download still belongs to this run.
   *
   * @throws IOException when another run has followed, or the directory is gone
   */
  void requireOwn() throws IOException {
    try (FSDataInputStream in = fs.open(layout.owner())) {
      if (!IOUtils.toString(in, StandardCharsets.UTF_8).equals(layout.run())) {
        throw new IOException("another run of the command has taken over " + layout.directory());
      }
    } catch (FileNotFoundException e) {
      throw new IOException("the download in " + layout.directory() + " was removed", e);
    }
  }

  /**
   * Removes what an unfinished download of this run has left, also what its end has moved to the
   * directory already. A complete one stays.
   */
  void abandon() throws IOException {
    if (fs.exists(layout.success()) && !fs.exists(layout.unfinished())) {
      return;
    }
    requireOwn();
    fs.delete(layout.owner(), false); // an end that still goes on finds that it is not its own
    if (!fs.exists(layout.success())) {
      new DoneFiles(fs, layout.done(), layout.directory()).withdraw();
      new DoneFiles(fs, layout.merged(), layout.directory()).withdraw();
      fs.delete(layout.manifest(), false);
    }
    fs.delete(layout.unfinished(), true);
  }

  /** Why parts have failed. */
  FailureNotes failures() {
    return new FailureNotes(fs, layout.failures());
  }
}
