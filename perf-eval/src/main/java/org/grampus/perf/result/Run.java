package org.grampus.perf.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of one workload on one server. What was not measured is null, and left out of the JSON.
 *
 * @param server {@code grampus}, {@code hbase}, {@code earlier} for another state of Grampus, or
 *     {@code unobserved} for the same one beside a Grampus that is observed
 * @param workload its name
 * @param number of the counted runs of this workload on this server, from 1
 * @param operations that were asked for
 * @param wallSeconds from the client's start to its end, the start of its JVM included
 * @param rowsPerSecond as the client says
 * @param serverCpuSeconds user and system time of the server's process, until it was idle
 * @param serverMicrosPerOperation the same for one operation, in µs
 * @param clientCpuSeconds user and system time of the client's process
 * @param p50Micros median latency of a call of the slowest client, as it says, in µs; a call may
 *     have several operations ({@code --multiGet}), and a buffered write is over once it is in the
 *     buffer
 * @param p99Micros its 99th percentile
 * @param peakRssMb the most that the server has had in memory since its start, in MiB
 * @param diskBytes of all files of the server afterwards
 * @param figures what only this command measures, by name
 */
public record Run(
    String server,
    String workload,
    Integer number,
    Long operations,
    Double wallSeconds,
    Double rowsPerSecond,
    Double serverCpuSeconds,
    Double serverMicrosPerOperation,
    Double clientCpuSeconds,
    Double p50Micros,
    Double p99Micros,
    Long peakRssMb,
    Long diskBytes,
    Map<String, Object> figures) {

  /** A run of which only figures of its own were measured. */
  public static Run ofFigures(String server, String workload, Map<String, Object> figures) {
    return new Run(
        server, workload, null, null, null, null, null, null, null, null, null, null, null,
        figures);
  }

  /** Operations of runs, of which there is at least one, for each second of all of them. */
  public static double rowsPerSecondOf(List<Run> runs) {
    double seconds = runs.stream().mapToDouble(run -> run.operations / run.rowsPerSecond).sum();
    return runs.stream().mapToLong(Run::operations).sum() / seconds;
  }

  /** The same beside other work of the server, whose processor time is not this run's alone. */
  public Run besideOtherWork() {
    return new Run(
        server,
        workload,
        number,
        operations,
        wallSeconds,
        rowsPerSecond,
        null,
        null,
        clientCpuSeconds,
        p50Micros,
        p99Micros,
        peakRssMb,
        diskBytes,
        figures);
  }

  /** The same with what its server has had in memory at most, and has on disk. */
  public Run memoryAndDisk(long peakMb, long bytes) {
    return with(peakMb, bytes, figures);
  }

  /** The same with figures of its own. */
  public Run figures(Map<String, ?> own) {
    return with(peakRssMb, diskBytes, new LinkedHashMap<>(own));
  }

  private Run with(Long peakMb, Long bytes, Map<String, Object> own) {
    return new Run(
        server,
        workload,
        number,
        operations,
        wallSeconds,
        rowsPerSecond,
        serverCpuSeconds,
        serverMicrosPerOperation,
        clientCpuSeconds,
        p50Micros,
        p99Micros,
        peakMb,
        bytes,
        own);
  }
}
