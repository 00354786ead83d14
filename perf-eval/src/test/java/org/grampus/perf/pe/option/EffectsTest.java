package org.grampus.perf.pe.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EffectsTest {
  private static Set<String> without(String line) {
    Set<String> options = new TreeSet<>();
    for (String warning : PeOptions.parse(List.of(line.split(" "))).warnings()) {
      options.add(warning.substring(0, warning.indexOf(' ')));
    }
    return options;
  }

  @ParameterizedTest
  @CsvSource({
    "--caching=5 randomRead 1, --caching",
    "--cacheBlocks=false sequentialWrite 1, --cacheBlocks",
    "--asyncPrefetch asyncScan 1, --asyncPrefetch",
    "--randomSleep=5 sequentialRead 1, --randomSleep",
    "--randomSleep=5 randomWrite 1, --randomSleep",
    "--multiGet=5 sequentialRead 1, --multiGet",
    "--startRow=5 randomRead 1, --startRow",
    "--startRow=5 increment 1, --startRow",
    "--sampleRate=0.5 scan 1, --sampleRate",
    "--autoFlush=true scan 1, --autoFlush",
    "--autoFlush=true asyncRandomWrite 1, --autoFlush",
    "--autoFlush=true --bufferSize=5 sequentialWrite 1, --bufferSize",
    "--presplit=5 scan 1, --presplit",
    "--compress=GZ randomDelete 1, --compress",
    "--numoftags=5 sequentialWrite 1, --numoftags",
    "--verify increment 1, --verify",
    "--verify --filterAll scan 1, --verify",
    "--profile=random scan 1, --profile",
    "--columns=5 --addColumns=false scan 1, --columns",
    "--families=2 checkAndPut 1, --families",
    "--families=2 filterScan 1, --families",
    "--rows=5 --size=2 scan 1, --rows",
    "--seed=5 scan 1, --seed",
    "--repeatKeys sequentialWrite 1, --repeatKeys",
    "--warmup=5 sequentialWrite 1, --warmup",
    "--oneCon=true scan 1, --oneCon",
    "--latency scan 1, --latency",
    "--traceRate=1 scan 1, --traceRate",
    "--flushCommits=true sequentialWrite 1, --flushCommits",
    "--direct --caching=5 scan 1, --caching"
  })
  void optionsWithoutEffectAreSaid(String line, String option) {
    assertEquals(new TreeSet<>(List.of(option)), without(line));
  }

  @ParameterizedTest
  @CsvSource({
    "--caching=5 --cacheBlocks=false --asyncPrefetch --scanReadType=stream scan 1",
    "--caching=5 scanRange10 1",
    "--caching=5 filterScan 1",
    "--rows=5 --size=2 randomRead 1",
    "--multiGet=5 --randomSleep=1 asyncRandomRead 1",
    "--valueSize=5 --verify randomRead 1",
    "--valueSize=5 --size=2 scan 1",
    "--usetags=true --numoftags=2 sequentialWrite 1",
    "--families=2 increment 1",
    "--nomapred --connCount=2 scan 2",
    "--presplit=5 --recreate sequentialWrite 1",
    "--replicas=2 randomRead 1",
    "--caching=5 --autoFlush=true --commandPropertiesFile=x a.B 1"
  })
  void optionsWithEffectAreNotComplainedAbout(String line) {
    assertEquals(new TreeSet<>(), without(line));
  }

  @Test
  void everyOptionOfTheTableIsAnOption() {
    Set<String> names = new TreeSet<>();
    PeOptions.commandLine()
        .getCommandSpec()
        .options()
        .forEach(option -> names.addAll(Arrays.asList(option.names())));

    Set<String> unknown = new TreeSet<>(Effects.names());
    unknown.removeAll(names);

    assertEquals(new TreeSet<>(), unknown);
  }
}
