// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.holdfast.base.Env;
import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Shows a token (JWT) from a file with each call (gRFC A97). The file is read when a call needs it:
 * for the first one, and from a minute before the token ends. After a failure, it is left alone for
 * a while that grows. Tokens go over encrypted connections only. Thread-safe.
 */
final class TokenFile extends CallCredentials {
  /** For clocks that differ, and for the server's own time: a token ends so much earlier here. */
  private static final Duration MARGIN = Duration.ofSeconds(30);

  private static final Duration REFRESH_BEFORE_END = Duration.ofMinutes(1);
  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
  private static final Duration MAX_BACKOFF = Duration.ofMinutes(2);
  private static final double MAX_EPOCH_SECOND = 1e12;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Path file;
  private final Env env;

  // Guarded by this.
  private final List<MetadataApplier> waiting = new ArrayList<>();
  private @Nullable Token token;
  private @Nullable Status failure;
  private Duration backoff = FIRST_BACKOFF;
  private long notBefore;
  private boolean reading;

  private record Token(String text, Instant end) {
    boolean isGoodAt(Instant time) {
      return time.isBefore(end);
    }

    void apply(MetadataApplier applier) {
      Metadata headers = new Metadata();
      headers.put(AUTHORIZATION, "Bearer " + text);
      applier.apply(headers);
    }
  }

  TokenFile(Path file, Env env) {
    this.file = file;
    this.env = env;
    notBefore = env.time().nanoTime();
  }

  @Override
  public void applyRequestMetadata(
      RequestInfo request, Executor executor, MetadataApplier applier) {
    if (request.getSecurityLevel() != SecurityLevel.PRIVACY_AND_INTEGRITY) {
      applier.fail(
          Status.UNAUTHENTICATED.withDescription(
              "call_creds: a token is not sent without encryption (expected: channel_creds of type"
                  + " tls)"));
      return;
    }
    Token cached;
    Status failed = null;
    synchronized (this) {
      Instant now = env.time().now();
      cached = token != null && token.isGoodAt(now) ? token : null;
      boolean mayRead = env.time().nanoTime() - notBefore >= 0;
      if (cached == null && (mayRead || reading)) {
        waiting.add(applier);
      } else if (cached == null) {
        failed = failure;
      }
      boolean needed = cached == null || !cached.isGoodAt(now.plus(REFRESH_BEFORE_END));
      if (needed && mayRead && !reading) {
        reading = true;
        env.executor().execute(this::read);
      }
    }
    if (cached != null) {
      cached.apply(applier);
    } else if (failed != null) {
      applier.fail(failed);
    }
  }

  private void read() {
    StatusOr<Token> result = parsed();
    List<MetadataApplier> answered;
    synchronized (this) {
      reading = false;
      answered = List.copyOf(waiting);
      waiting.clear();
      if (result.hasValue()) {
        token = result.getValue();
        failure = null;
        backoff = FIRST_BACKOFF;
      } else {
        failure = result.getStatus();
        notBefore = env.time().nanoTime() + backoff.toNanos();
        Duration next = backoff.multipliedBy(2);
        backoff = next.compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : next;
      }
    }
    for (MetadataApplier applier : answered) {
      if (result.hasValue()) {
        result.getValue().apply(applier);
      } else {
        applier.fail(result.getStatus());
      }
    }
  }

  private StatusOr<Token> parsed() {
    String text;
    try {
      text = Files.readString(file).strip();
    } catch (IOException | RuntimeException e) {
      return failed(Status.UNAVAILABLE, why(e));
    }
    String[] parts = text.split("\\.", -1);
    if (parts.length != 3) {
      return failed(Status.UNAUTHENTICATED, "not a JWT (expected: three parts with dots between)");
    }
    try {
      String payload = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
      if (JsonParser.parseString(payload) instanceof JsonObject claims
          && claims.get("exp") instanceof JsonPrimitive exp
          && exp.isNumber()
          && Math.abs(exp.getAsDouble()) < MAX_EPOCH_SECOND) {
        return StatusOr.fromValue(
            new Token(text, Instant.ofEpochSecond((long) exp.getAsDouble()).minus(MARGIN)));
      }
      return failed(Status.UNAUTHENTICATED, "a JWT without \"exp\" (expected: seconds since 1970)");
    } catch (IllegalArgumentException | JsonParseException e) {
      return failed(Status.UNAUTHENTICATED, "not a JWT (expected: JSON in base64url)");
    }
  }

  /** Never says what is in the file. */
  private StatusOr<Token> failed(Status status, String why) {
    return StatusOr.fromStatus(status.withDescription("token " + file + ": " + why));
  }

  private static String why(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    return e instanceof AccessDeniedException ? "not allowed to read" : e.toString();
  }
}
