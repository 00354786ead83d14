package org.grampus.perf.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.perf.ToolException;

/** The command lines of a section of a page, in their order, as one program of bash. */
record DocumentedCommands(String script) {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");

  /**
   * Reads them.
   *
   * @param section its heading
   * @throws ToolException when the page has no such section, or it has no commands
   */
  static DocumentedCommands of(Path page, String section) throws ToolException, IOException {
    Pattern heading = Pattern.compile("(?ms)^## " + Pattern.quote(section) + "$(.*?)(?=^## |\\z)");
    Matcher found = heading.matcher(Files.readString(page));
    StringBuilder script = new StringBuilder("set -euo pipefail\n");
    boolean any = false;
    Matcher block = BLOCK.matcher(found.find() ? found.group(1) : "");
    while (block.find()) {
      script.append(block.group(1));
      any = true;
    }
    if (!any) {
      throw new ToolException(page + " has no commands below \"" + section + "\"");
    }
    return new DocumentedCommands(script.toString());
  }
}
