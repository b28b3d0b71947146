// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import dev.holdfast.testkit.Recorder;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import io.grpc.Status;
import io.grpc.StatusOr;

/** Records what a watcher is told: {@code version}, {@code error CODE}, {@code ambient CODE}. */
final class Watched<T> implements ResourceWatcher<T> {
  private final Recorder<String> told = new Recorder<>("callback");
  private volatile String lastError = "";

  String next() {
    return told.next();
  }

  /** The text that came with the last error. */
  String lastError() {
    return lastError;
  }

  @Override
  public void onResourceChanged(StatusOr<Resource<T>> resource) {
    if (resource.hasValue()) {
      told.add(resource.getValue().name() + " " + resource.getValue().version());
    } else {
      add("error ", resource.getStatus());
    }
  }

  @Override
  public void onAmbientError(Status status) {
    add("ambient ", status);
  }

  private void add(String kind, Status status) {
    lastError = String.valueOf(status.getDescription());
    told.add(kind + status.getCode());
  }
}
