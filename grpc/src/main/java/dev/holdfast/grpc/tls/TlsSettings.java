// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.tls;

import dev.holdfast.base.Problems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of credentials of type {@code tls} (gRFC A65), and of certificate providers that are
 * files (gRFC A29).
 *
 * @param caCertificates whom to trust; null for whom the JDK trusts
 * @param certificate who we are; null to be nobody in particular
 * @param privateKey of the certificate; null if and only if that is
 * @param refreshInterval how often the files are read again
 */
public record TlsSettings(
    @Nullable Path caCertificates,
    @Nullable Path certificate,
    @Nullable Path privateKey,
    Duration refreshInterval) {

  private static final Duration DEFAULT_REFRESH_INTERVAL = Duration.ofMinutes(10);

  /** The JSON form of a protobuf duration; more seconds than these a message does not allow. */
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(?:\\.(\\d{1,9}))?s");

  /** Reads settings; what is wrong with them goes to {@code problems}. */
  public static TlsSettings parse(Map<String, ?> config, Problems problems) {
    Path certificate = path(config, "certificate_file", problems);
    Path privateKey = path(config, "private_key_file", problems);
    if (config.containsKey("certificate_file") != config.containsKey("private_key_file")) {
      String missing =
          config.containsKey("certificate_file") ? "private_key_file" : "certificate_file";
      problems
          .at(missing)
          .required("missing (expected: both certificate_file and private_key_file, or neither)");
    }
    return new TlsSettings(
        path(config, "ca_certificate_file", problems),
        certificate,
        privateKey,
        duration(config, "refresh_interval", problems));
  }

  private static @Nullable Path path(Map<String, ?> config, String field, Problems problems) {
    Object value = config.get(field);
    if (value == null) {
      return null;
    }
    if (value instanceof String text && !text.isEmpty()) {
      try {
        return Path.of(text);
      } catch (InvalidPathException e) {
        problems.at(field).invalid("not a file name: " + e.getMessage());
        return null;
      }
    }
    problems.at(field).invalid(quote(value) + " (expected: a file name)");
    return null;
  }

  private static Duration duration(Map<String, ?> config, String field, Problems problems) {
    Object value = config.get(field);
    if (value == null) {
      return DEFAULT_REFRESH_INTERVAL;
    }
    Matcher matcher = DURATION.matcher(value instanceof String text ? text : "");
    if (matcher.matches()) {
      String fraction = matcher.group(2) == null ? "" : matcher.group(2);
      int nanos = Integer.parseInt((fraction + "000000000").substring(0, 9));
      Duration duration = Duration.ofSeconds(Long.parseLong(matcher.group(1)), nanos);
      if (!duration.isZero()) {
        return duration;
      }
    }
    problems.at(field).invalid(quote(value) + " (expected: a positive duration such as \"600s\")");
    return DEFAULT_REFRESH_INTERVAL;
  }

  private static String quote(Object value) {
    return value instanceof String ? "\"" + value + "\"" : "not a string";
  }
}
