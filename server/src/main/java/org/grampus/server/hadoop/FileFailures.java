package org.grampus.server.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.grampus.engine.FileException;
import org.grampus.engine.FileException.Kind;

/**
 * What a failure of a Hadoop file system means to the engine. By names of classes, since several
 * are the name node's own and arrive as {@link RemoteException}.
 */
final class FileFailures {
  private FileFailures() {}

  /** The failure as the engine knows it; one that it need not tell from others stays as it is. */
  static IOException of(IOException e) {
    if (e instanceof FileException || e instanceof FileNotFoundException) {
      return e;
    }
    Kind kind = kind(e);
    return kind == null ? e : new FileException(kind, e);
  }

  private static Kind kind(IOException e) {
    String name = e instanceof RemoteException remote ? remote.getClassName() : nameOf(e);
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "FileNotFoundException", "NoSuchFileException", "PathNotFoundException" ->
          Kind.NOT_FOUND;
      case "FileAlreadyExistsException",
              "PathExistsException",
              "AlreadyBeingCreatedException", // create of a file that another writer has open
              "RecoveryInProgressException" ->
          Kind.ALREADY_EXISTS;
      case "QuotaExceededException",
              "NSQuotaExceededException",
              "DSQuotaExceededException",
              "QuotaByStorageTypeExceededException",
              "ClusterStorageCapacityExceededException" ->
          Kind.NO_SPACE;
      case "PathIsNotEmptyDirectoryException" -> Kind.NOT_EMPTY;
      case "ParentNotDirectoryException", "PathIsNotDirectoryException" -> Kind.NOT_A_DIRECTORY;
      case "PathIsDirectoryException" -> Kind.NOT_A_FILE;
      case "LeaseExpiredException" -> Kind.FENCED;
      case "AccessControlException" -> Kind.NOT_ALLOWED;
      case "SafeModeException", "StandbyException", "RetriableException" -> Kind.UNAVAILABLE;
      default -> kindByText(e);
    };
  }

  private static String nameOf(IOException e) {
    return e.getClass().getName();
  }

  /** HDFS has no class of its own for a cluster without room for a block. */
  private static Kind kindByText(IOException e) {
    String text = String.valueOf(e.getMessage());
    return text.contains("could only be written to 0 of the") ? Kind.NO_SPACE : null;
  }

  /** A stream that cannot promise what a flush or a sync means here. */
  static IOException lacks(Object file, String capability) {
    return new IOException(
        "the file system of "
            + file
            + " lacks "
            + capability
            + ", so that nothing which is acknowledged would last");
  }
}
