package org.grampus.server.operator;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code grampus rolling-restart}: a new version or new settings without an interruption. */
@Command(
    name = "rolling-restart",
    description = {
      "Restarts the region servers of a cluster one after the other: moves the regions of one to"
          + " the others, runs COMMAND, waits for the server to be back, and moves them back.",
      "Example: grampus rolling-restart ssh {host} systemctl restart grampus-regionserver"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all have been restarted, and the balancer and drained servers are as before",
      "1:one could not be restarted, and those after it run as before; or not all is as before",
      "2:wrong arguments"
    })
public final class RollingRestartCommand implements Callable<Integer> {
  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "HOST:PORT",
      description = "These alone. Default: all")
  private List<String> servers = List.of();

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "For a server to be back. Default: ${DEFAULT-VALUE}")
  private int waitSeconds;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description =
          "Restarts the server {host}:{port}, and may end before the server is back. A failure of it"
              + " ends everything.")
  private List<String> command;

  @Spec private CommandSpec spec;

  private RollingRestartCommand() {}

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new RollingRestartCommand()).setStopAtPositional(true).execute(args));
  }

  /** Says who this is. The machine stands there for the reader alone, and may not know its name. */
  static String holder(Callable<InetAddress> machine) throws Exception {
    String process = "process " + ProcessHandle.current().pid();
    try {
      return process + " on " + machine.call().getHostName();
    } catch (UnknownHostException e) {
      return process;
    }
  }

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Configuration conf = HBaseConfiguration.create();
    RollingRestart restart =
        new RollingRestart(
            conf,
            RegionMoves.of(conf),
            new RestartCommand(command),
            Duration.ofSeconds(waitSeconds),
            line -> {
              out.println(line);
              out.flush();
            });
    try {
      RestartLock lock = RestartLock.take(conf, holder(InetAddress::getLocalHost));
      // One hook for both: hooks run at the same time, and the lock goes last.
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> restart.atExit(lock::close), "end of the rolling restart"));
      restart.run(servers);
      return ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println("grampus: " + e.getMessage());
      return ExitCode.SOFTWARE;
    }
  }
}
