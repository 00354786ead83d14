package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Sums the sizes of files below a directory that a server may be changing meanwhile. */
final class DiskUse extends SimpleFileVisitor<Path> {
  private long bytes;

  private DiskUse() {}

  /** Bytes of all files below it; 0 where there is none. */
  static long of(Path directory) throws IOException {
    DiskUse use = new DiskUse();
    Files.walkFileTree(directory, use);
    return use.bytes;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    bytes += attributes.size();
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    if (failure instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE; // removed since the directory was listed
    }
    throw failure;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, IOException failure)
      throws IOException {
    if (failure != null && !(failure instanceof NoSuchFileException)) {
      throw failure;
    }
    return FileVisitResult.CONTINUE;
  }
}
