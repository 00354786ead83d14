package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.hbase.TableName;
import org.grampus.mapreduce.imports.ImportCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import picocli.CommandLine;

/** Imports by the command as a user types it, into a table beside the test's own. */
abstract class ImportCase extends DownloadCase {
  TableName copy;

  @BeforeEach
  void nameCopy() {
    copy = TableName.valueOf(name + "Copy");
  }

  @AfterEach
  void dropCopy() throws IOException {
    drop(copy);
  }

  /**
   * Options, and what leads to the server; bad records go to the test's directory unless an option
   * says another one.
   */
  List<String> importArguments(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add("--quiet");
    if (arguments.stream().noneMatch(option -> option.startsWith("--bad="))) {
      arguments.add("--bad=" + badDirectory());
    }
    arguments.addAll(serverOptions());
    return arguments;
  }

  Path badDirectory() {
    return directory.resolve("bad");
  }

  /** What makes an import load column files, which wait in the test's directory. */
  String[] bulk(String... options) {
    return Stream.concat(Stream.of(options), Stream.of("--bulk", "--staging=" + stagingDirectory()))
        .toArray(String[]::new);
  }

  /** What makes an import, with all of its tasks, use another local disk. */
  String[] onDisk(Class<? extends LocalFileSystem> disk, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    for (String key :
        List.of(
            "fs.file.impl=" + disk.getName(),
            "fs.file.impl.disable.cache=true",
            "hbase.fs.tmp.dir=" + directory.resolve("tmp"))) {
      all.addAll(List.of("-D", key));
    }
    return all.toArray(new String[0]);
  }

  Path stagingDirectory() {
    return directory.resolve("bulk");
  }

  int importing(String... options) {
    return new CommandLine(new ImportCommand())
        .execute(importArguments(options).toArray(new String[0]));
  }

  /** An import in a process of its own, as a user starts it. */
  Process startImport(List<String> arguments) throws IOException {
    return startCommand(ImportCommand.class, arguments, importLog());
  }

  /** What such a process has said. */
  Path importLog() {
    return directory.resolve("import.log");
  }

  /** The sentence of an import that fails. */
  String importRefusal(String... options) {
    Refusal refusal = Refusal.of(() -> importing(options));
    assertEquals(1, refusal.code());
    return refusal.sentence();
  }

  Path file(String fileName, String text) throws IOException {
    return Files.writeString(directory.resolve(fileName), text);
  }

  /** Lines of all files of bad records of the last import that has had some. */
  List<String> badRecords() throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.exists(badDirectory())) {
      for (Path each : in(in(badDirectory()).reduce((one, next) -> next).orElseThrow()).toList()) {
        lines.addAll(Files.readAllLines(each));
      }
    }
    return lines;
  }

  private static Stream<Path> in(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.sorted().toList().stream();
    }
  }
}
