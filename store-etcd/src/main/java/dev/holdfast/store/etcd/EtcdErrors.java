// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import dev.holdfast.store.etcd.EtcdException.Kind;
import io.grpc.Status;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/** What the answers of etcd mean, for people and for the caller. */
final class EtcdErrors {
  /** What Netty puts before the system's own words. */
  private static final Pattern NATIVE =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?[0-9]+\\): ");

  private EtcdErrors() {}

  static EtcdException of(EtcdPlace.Endpoint endpoint, Status status, Duration patience) {
    return new EtcdException(
        kind(status), "etcd at " + endpoint + ": " + reason(status, patience), status.getCause());
  }

  /** Whether another token would help: they expire, and are void after users were changed. */
  static boolean isOfToken(Status status) {
    String text = text(status);
    return status.getCode() == Status.Code.UNAUTHENTICATED
        || text.contains("invalid auth token")
        || text.contains("revision of auth store is old");
  }

  private static Kind kind(Status status) {
    String text = text(status);
    if (text.contains("requested lease not found")) {
      return Kind.NO_LEASE;
    }
    if (isOfUser(text)) {
      return Kind.REFUSED; // whatever the code, which differs between versions
    }
    return switch (status.getCode()) {
      case INVALID_ARGUMENT,
          NOT_FOUND,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          UNIMPLEMENTED,
          OUT_OF_RANGE ->
          Kind.REFUSED;
      default -> Kind.NO_ANSWER;
    };
  }

  private static String reason(Status status, Duration patience) {
    String text = text(status);
    if (text.contains("database space exceeded")) {
      return "its database is full (expected: space; compact and defragment it, or raise its quota,"
          + " and disarm its alarm)";
    }
    if (isOfUser(text)) {
      return "user or password is wrong, or missing (expected: --etcd-user-file)";
    }
    if (status.getCode() == Status.Code.PERMISSION_DENIED) {
      return "permission denied (expected: a user that may read and write all keys of the prefix)";
    }
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      return "no answer within " + patience.toSeconds() + " s";
    }
    Throwable cause = status.getCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof ConnectException) {
      return "connection refused";
    }
    if (cause != null && cause.getMessage() != null) {
      return NATIVE.matcher(cause.getMessage()).replaceFirst("");
    }
    return String.valueOf(status.getDescription()).replace("etcdserver: ", "");
  }

  private static boolean isOfUser(String text) {
    return text.contains("authentication failed") || text.contains("user name is empty");
  }

  private static String text(Status status) {
    return String.valueOf(status.getDescription()).toLowerCase(Locale.ROOT);
  }
}
