// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.api;

import dev.holdfast.kubernetes.access.ClusterAccess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An API server over HTTPS, with the JDK's own client. */
public final class HttpApiServer implements ApiServer {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private final ClusterAccess access;
  private final HttpClient client;

  public HttpApiServer(ClusterAccess access) {
    this.access = access;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            // One connection per watch: a slow reader of one kind never delays the others.
            .version(HttpClient.Version.HTTP_1_1);
    if (access.tls() != null) {
      builder.sslContext(access.tls());
    }
    client = builder.build();
  }

  @Override
  public CompletionStage<ApiResponse> send(ApiRequest request) {
    HttpRequest.Builder builder;
    try {
      builder = request(request.path()).timeout(ANSWER);
    } catch (IOException | IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    if (request.contentType().isEmpty()) {
      builder.method(request.method(), HttpRequest.BodyPublishers.noBody());
    } else {
      builder
          .header("Content-Type", request.contentType())
          .method(request.method(), HttpRequest.BodyPublishers.ofString(request.body()));
    }
    return client
        .sendAsync(builder.build(), BodyHandlers.ofString(StandardCharsets.UTF_8))
        .handle(
            (response, failure) -> {
              if (failure != null) {
                throw new CompletionException(new IOException(describe(failure), failure));
              }
              return new ApiResponse(response.statusCode(), response.body());
            });
  }

  @Override
  public Watch watch(String path, WatchListener listener) {
    HttpRequest request;
    try {
      request = request(path).build();
    } catch (IOException | IllegalArgumentException e) {
      var unused = CompletableFuture.runAsync(() -> listener.onEnd(0, describe(e)));
      return () -> {};
    }
    WatchBody body = new WatchBody(listener);
    CompletableFuture<HttpResponse<@Nullable Void>> answer =
        client.sendAsync(
            request,
            head -> {
              body.status = head.statusCode();
              if (body.status == 200) {
                listener.onOpen();
              }
              return BodySubscribers.fromLineSubscriber(
                  body, done -> null, StandardCharsets.UTF_8, null);
            });
    var unused =
        answer.whenComplete(
            (response, failure) -> {
              if (failure != null) {
                body.end(describe(failure));
              } else {
                body.end("");
              }
            });
    return () -> {
      body.cancel();
      answer.cancel(true);
    };
  }

  private HttpRequest.Builder request(String path) throws IOException {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(access.at(path))
            .header("Accept", "application/json")
            .header("User-Agent", "holdfast");
    String token = access.token().get();
    if (!token.isEmpty()) {
      builder.header("Authorization", "Bearer " + token);
    }
    return builder;
  }

  /** Why there was no answer, in one line. */
  private static String describe(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    if (message == null || message.isBlank()) {
      Throwable inner = cause.getCause();
      message =
          inner == null || inner.getMessage() == null
              ? cause.getClass().getSimpleName()
              : inner.getMessage();
    }
    return message.replaceAll("\\p{Cntrl}+", " ");
  }

  /** Hands the lines of a watch on, one after the other, and its end once. */
  private static final class WatchBody implements Flow.Subscriber<String> {
    private final WatchListener listener;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final StringBuilder refusal = new StringBuilder();
    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean cancelled;
    volatile int status;

    WatchBody(WatchListener listener) {
      this.listener = listener;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      if (cancelled) {
        subscription.cancel();
      } else {
        subscription.request(1);
      }
    }

    @Override
    public void onNext(String line) {
      if (status == 200) {
        listener.onEvent(line);
      } else if (refusal.length() < 10_000) {
        refusal.append(line).append('\n');
      }
      Flow.Subscription current = subscription;
      if (current != null) {
        current.request(1);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end(describe(failure));
    }

    @Override
    public void onComplete() {
      end("");
    }

    void end(String reason) {
      if (ended.compareAndSet(false, true)) {
        String why =
            status == 0 || status == 200
                ? reason
                : new ApiResponse(status, refusal.toString()).reason();
        listener.onEnd(status, why);
      }
    }

    void cancel() {
      cancelled = true;
      Flow.Subscription current = subscription;
      if (current != null) {
        current.cancel();
      }
    }
  }
}
