package org.grampus.server.info;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.grampus.engine.EngineMetrics;
import org.grampus.engine.RegionStats;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.metrics.Snapshot;
import org.grampus.server.region.OnlineRegion;

/**
 * The status page: what needs attention first, then requests and latencies, memory, the log,
 * flushes and compactions with their reasons, slow calls, and the regions. One thread.
 */
final class StatusPage {
  private static final List<String> OPERATIONS =
      List.of(
          "Get",
          "ScanTime",
          "Put",
          "PutBatch",
          "Delete",
          "DeleteBatch",
          "Increment",
          "Append",
          "CheckAndMutate");

  /** A server with more regions shows those with most requests. */
  private static final int REGIONS_MAX = 1000;

  private static final int CALLS_MAX = 50;
  private static final int EVENTS_MAX = 50;

  private final StatusSource source;
  private final Snapshot now;
  private final EngineMetrics engine;
  private final Html page = new Html();

  StatusPage(StatusSource source) {
    this.source = source;
    this.now = source.latest().get();
    this.engine = now.engine();
  }

  String render() {
    head();
    attention();
    charts();
    latencies();
    calls();
    memory();
    caches();
    log();
    work();
    events();
    slowCalls();
    regions();
    page.raw("</main></body></html>\n");
    return page.toString();
  }

  private void head() {
    String name = source.identity().server().get();
    Duration up = Duration.ofMillis(now.millis() - source.identity().startMillis());
    page.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .text(name)
        .raw("</title><meta name=\"viewport\" content=\"width=device-width\">")
        .raw("<link rel=\"stylesheet\" href=\"static/status.css\">")
        .raw("<script src=\"static/status.js\" defer></script></head><body><header><h1>")
        .text(name)
        .raw("</h1><p>")
        .text(
            String.format(
                Locale.ROOT,
                "up %d d %02d:%02d:%02d, ZooKeeper %s, cluster %s, HBase %s; numbers of %s",
                up.toDays(),
                up.toHoursPart(),
                up.toMinutesPart(),
                up.toSecondsPart(),
                source.identity().quorum(),
                source.identity().clusterId().get(),
                VersionInfo.getVersion(),
                time(now.millis())))
        .raw("</p><nav>");
    for (String link :
        List.of("jmx", "prometheus", "conf", "stacks", "logLevel", "logs/", "dump")) {
      page.raw("<a href=\"" + link + "\">").text(link).raw("</a> ");
    }
    page.raw("</nav></header><main>\n");
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private void attention() {
    List<String> needs = Attention.of(engine, source.fenced().getAsBoolean());
    page.raw("<section><h2>Attention</h2><ul class=\"attention\">");
    for (String need : needs) {
      page.raw("<li>").text(need).raw("</li>");
    }
    page.raw(needs.isEmpty() ? "<li class=\"fine\">nothing</li>" : "").raw("</ul></section>\n");
  }

  private void charts() {
    page.raw("<section><h2>Now</h2><div class=\"charts\">")
        .raw(chart("reads per second", "data-number=\"reads\" data-per=\"second\""))
        .raw(chart("writes per second", "data-number=\"writes\" data-per=\"second\""))
        .raw(chart("calls per second", "data-number=\"calls\" data-per=\"second\""))
        .raw(chart("get, 99th percentile, ms", bean("Server", "Get_99th_percentile")))
        .raw(chart("call, 99th percentile, ms", bean("IPC", "TotalCallTime_99th_percentile")))
        .raw(chart("queued calls", bean("IPC", "numCallsInGeneralQueue")))
        .raw(chart("memtables, bytes", "data-number=\"memtableBytes\""))
        .raw(chart("block cache hits, %", "data-number=\"pagesFound\" data-per=\"pagesAsked\""))
        .raw(chart("log bytes per second", "data-number=\"logBytes\" data-per=\"second\""))
        .raw("</div></section>\n");
  }

  private static String bean(String bean, String metric) {
    return "data-bean=\"" + bean + "\" data-metric=\"" + metric + "\"";
  }

  /** What a chart draws is said by its attributes, see status.js. */
  private static String chart(String title, String attributes) {
    return "<figure "
        + attributes
        + "><figcaption>"
        + title
        + " <b></b></figcaption><svg viewBox=\"0 0 240 60\" preserveAspectRatio=\"none\">"
        + "<polyline points=\"\"></polyline></svg></figure>";
  }

  private void latencies() {
    page.table("Latencies, ms, of the last period", "operation", "all", "p50", "p95", "p99", "max");
    for (String name : OPERATIONS) {
      latency("Server", name);
    }
    for (String name : List.of("QueueCallTime", "ProcessCallTime", "TotalCallTime")) {
      latency("IPC", name);
    }
    page.end();
  }

  private void latency(String sub, String name) {
    String[] parts = {"_num_ops", "_median", "_95th_percentile", "_99th_percentile", "_max"};
    String[] names = new String[parts.length];
    for (int i = 0; i < parts.length; i++) {
      names[i] = name + parts[i];
    }
    Bean bean = Bean.read(sub, names);
    page.raw("<tr><td>").text(name).raw("</td>");
    for (String each : names) {
      page.raw("<td class=\"number\">").text(bean.get(each).text()).raw("</td>");
    }
    page.raw("</tr>");
  }

  private void calls() {
    Bean ipc =
        Bean.read(
            "IPC",
            "numOpenConnections",
            "numActiveHandler",
            "numCallsInGeneralQueue",
            "numCallsInPriorityQueue",
            "exceptions",
            "exceptions.RegionTooBusyException",
            "exceptions.callQueueTooBig");
    page.table("Calls", "what", "number")
        .row("open connections", ipc.get("numOpenConnections"))
        .row("handlers at work", ipc.get("numActiveHandler"))
        .row("queued calls", ipc.get("numCallsInGeneralQueue"))
        .row("queued calls of system tables", ipc.get("numCallsInPriorityQueue"))
        .row("exceptions", ipc.get("exceptions"))
        .row("regions too busy", ipc.get("exceptions.RegionTooBusyException"))
        .row("calls refused, queue full", ipc.get("exceptions.callQueueTooBig"))
        .row("rows read", now.reads())
        .row("mutations", now.writes())
        .end();
  }

  private void memory() {
    page.table("Memory", "what", "taken", "limit", "")
        .row(
            "memtables",
            Html.size(engine.get("memstore.bytes")),
            Html.size(engine.get("memstore.limit_bytes")),
            Html.percent(engine.get("memstore.bytes"), engine.get("memstore.limit_bytes")))
        .row("kept by reads after a flush", Html.size(engine.get("memstore.pinned_bytes")), "", "")
        .row("open files", Html.size(engine.get("files.open_bytes")), "", "");
    for (MemoryPool.Kind kind : MemoryPool.Kind.values()) {
      MemoryPool pool = source.memory().pool(kind);
      page.row(
          "clients: pool " + word(kind),
          Html.size(pool.used()),
          Html.size(pool.limit()),
          Html.percent(pool.used(), pool.limit()));
    }
    for (MemoryUse use : MemoryUse.values()) {
      page.row("clients: " + word(use), Html.size(source.memory().used(use)), "", "");
    }
    page.row("calls refused for want of memory", source.memory().refusedCount(), "", "").end();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void caches() {
    page.table(
        "Block cache", "tier", "pages", "bytes", "limit", "hits", "misses", "ratio", "evicted");
    tier("memory", "block_cache.");
    if (engine.has("block_cache_tier.capacity_bytes")) {
      tier("second tier", "block_cache_tier.");
    }
    page.end();
  }

  private void tier(String name, String prefix) {
    long hits = engine.get(prefix + "hit_count");
    long misses = engine.get(prefix + "miss_count");
    page.row(
        name,
        engine.get(prefix + "page_count"),
        Html.size(engine.get(prefix + "used_bytes")),
        Html.size(engine.get(prefix + "capacity_bytes")),
        hits,
        misses,
        Html.percent(hits, hits + misses),
        engine.get(prefix + "eviction_count"));
  }

  private void log() {
    page.table("Log", "what", "number")
        .row("segments", engine.ofLogs("segments"))
        .row("bytes of finished segments", Html.size(engine.ofLogs("finished_bytes")))
        .row("edits", engine.ofLogs("appends"))
        .row("bytes", Html.size(engine.ofLogs("bytes")))
        .row("groups", engine.ofLogs("groups"))
        .row("syncs", engine.ofLogs("syncs"))
        .row("new segments", engine.ofLogs("rolls"))
        .end();
  }

  private void work() {
    page.table("Flushes and compactions", "what", "done", "time, ms", "in", "out", "waiting")
        .row(
            "flushes",
            engine.get("flush.count"),
            engine.get("flush.millis"),
            Html.size(engine.get("flush.memstore_bytes")),
            Html.size(engine.get("flush.file_bytes")),
            engine.get("flush.queue_length"));
    compactions("minor");
    compactions("major");
    waiting("small");
    waiting("large");
    page.end();
  }

  /** They wait by the bytes that they read, whether they are minor or major. */
  private void waiting(String size) {
    page.row(
        size + " compactions", "", "", "", "", engine.get("compaction." + size + "_queue_length"));
  }

  private void compactions(String kind) {
    String prefix = "compaction." + kind + ".";
    page.row(
        kind + " compactions",
        engine.get(prefix + "count"),
        engine.get(prefix + "millis"),
        Html.size(engine.get(prefix + "input_bytes")),
        Html.size(engine.get(prefix + "output_bytes")),
        "");
  }

  private void events() {
    page.table("What the engine said lately", "when", "", "about", "what");
    source.events().all().stream()
        .limit(EVENTS_MAX)
        .forEach(
            event -> page.row(time(event.millis()), event.level(), event.topic(), event.text()));
    page.end();
  }

  private void slowCalls() {
    page.table(
        source.slowLog().isBuffered()
            ? "Slow and large calls (what they asked for is in /dump)"
            : "Slow and large calls: set hbase.regionserver.slowlog.buffer.enabled to keep them",
        "when",
        "method",
        "ms",
        "waited, ms",
        "reply",
        "client",
        "region");
    for (SlowLogPayload call : source.slowLog().all().stream().limit(CALLS_MAX).toList()) {
      page.row(
          time(call.getStartTime()),
          call.getMethodName(),
          call.getProcessingTime(),
          call.getQueueTime(),
          Html.size(call.getResponseSize()),
          call.getClientAddress(),
          Html.regionName(call.getRegionName()));
    }
    page.end();
  }

  private void regions() {
    int count = now.regions().size();
    page.table(
        count <= REGIONS_MAX
            ? "Regions: " + count
            : "Regions: " + count + ", of which the " + REGIONS_MAX + " with most requests",
        "table",
        "region",
        "start",
        "end",
        "reads",
        "writes",
        "stores",
        "files",
        "bytes",
        "memtables",
        "compacts");
    now.regions().stream()
        .sorted(Comparator.comparingLong(StatusPage::requests).reversed())
        .limit(REGIONS_MAX)
        .forEach(this::region);
    page.end();
  }

  private static long requests(Snapshot.Region region) {
    return region.reads() + region.writes();
  }

  private void region(Snapshot.Region each) {
    OnlineRegion region = each.region();
    RegionStats stats = each.stats();
    page.row(
        region.info().getTable().getNameAsString(),
        region.encodedName(),
        Html.key(region.info().getStartKey()),
        Html.key(region.info().getEndKey()),
        each.reads(),
        each.writes(),
        stats.stores().size(),
        stats.storeFileCount(),
        Html.size(stats.storeFileBytes()),
        Html.size(stats.memstoreBytes()),
        word(stats.compaction().state()));
  }
}
