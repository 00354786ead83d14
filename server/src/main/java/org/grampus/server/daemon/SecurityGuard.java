package org.grampus.server.daemon;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/**
 * Refuses a configuration that asks for protection that this server does not give. An operator who
 * takes a secured site over would otherwise run an open server without a word.
 */
final class SecurityGuard {
  private static final String AUTHENTICATION = "hbase.security.authentication";
  private static final String SIMPLE = "simple";

  private static final String[] SWITCHES = {
    "hbase.security.authorization",
    "hbase.server.netty.tls.enabled",
    "hbase.regionserver.wal.encryption"
  };

  private SecurityGuard() {}

  /** Throws when a key asks for authentication, access control or encryption. */
  static void check(Configuration conf) throws StartupException {
    String authentication = conf.getTrimmed(AUTHENTICATION, SIMPLE);
    if (!authentication.isEmpty() && !authentication.toLowerCase(Locale.ROOT).equals(SIMPLE)) {
      throw refusal(AUTHENTICATION, authentication, SIMPLE);
    }
    for (String key : SWITCHES) {
      if (conf.getBoolean(key, false)) {
        throw refusal(key, "true", "false");
      }
    }
  }

  private static StartupException refusal(String key, String value, String required) {
    return new StartupException(
        key
            + " is "
            + value
            + ", but this server authenticates no client, checks no permission and encrypts nothing;"
            + " set it to "
            + required
            + " and keep its ports and files from all whom you do not trust");
  }
}
