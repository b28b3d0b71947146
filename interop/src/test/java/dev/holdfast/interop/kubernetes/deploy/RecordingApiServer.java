// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;

/** Notes which rights were used, and which were missed. */
final class RecordingApiServer implements ApiServer {
  private final ApiServer server;
  private final Set<Right> used = new ConcurrentSkipListSet<>();
  private final Set<Right> missed = new ConcurrentSkipListSet<>();

  RecordingApiServer(ApiServer server) {
    this.server = server;
  }

  /** The rights for which the server said yes, be it that there is no such object. */
  Set<Right> used() {
    return used;
  }

  /** The rights for which the server said no. */
  Set<Right> missed() {
    return missed;
  }

  @Override
  public CompletionStage<ApiResponse> send(ApiRequest request) {
    Right right = Right.of(request.method(), request.path());
    return server
        .send(request)
        .whenComplete(
            (answer, failure) -> {
              if (answer != null && (answer.isOk() || answer.status() == 404)) {
                used.add(right);
              } else if (answer != null && answer.status() == 403) {
                missed.add(right);
              }
            });
  }

  @Override
  public Watch watch(String path, WatchListener listener) {
    Right right =
        new Right("watch", Right.of("GET", path).group(), Right.of("GET", path).resource());
    return server.watch(
        path,
        new WatchListener() {
          @Override
          public void onOpen() {
            used.add(right);
            listener.onOpen();
          }

          @Override
          public void onEvent(String json) {
            listener.onEvent(json);
          }

          @Override
          public void onEnd(int status, String reason) {
            if (status == 403) {
              missed.add(right);
            }
            listener.onEnd(status, reason);
          }
        });
  }
}
