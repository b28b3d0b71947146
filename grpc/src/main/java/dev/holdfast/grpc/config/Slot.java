// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import io.grpc.Status;
import io.grpc.StatusOr;
import org.jspecify.annotations.Nullable;

/** What is known of one watched resource. Only used from the loop. */
final class Slot<T> implements ResourceWatcher<T> {
  private final ResourceType<T> type;
  private final String name;
  private final Runnable onChange;
  private final ErrorTexts texts;
  private final Watch watch;
  private @Nullable StatusOr<T> answer;
  private @Nullable AmbientError ambient;
  private boolean closed;

  /**
   * Starts to watch.
   *
   * @param onChange runs after each change, on the loop
   */
  Slot(Dependencies dependencies, ResourceType<T> type, String name, Runnable onChange) {
    this.type = type;
    this.name = name;
    this.onChange = onChange;
    this.texts = dependencies.texts();
    this.watch = dependencies.client().watch(type, name, this, dependencies.loop());
  }

  String name() {
    return name;
  }

  /** The resource, or the error for calls that need it; null until there is either. */
  @Nullable StatusOr<T> answer() {
    return answer;
  }

  /** The resource; null if there is none. */
  @Nullable T value() {
    return answer != null && answer.hasValue() ? answer.getValue() : null;
  }

  /** What is amiss although the resource stays in use; null for nothing. */
  @Nullable AmbientError ambient() {
    return ambient;
  }

  @Override
  public void onResourceChanged(StatusOr<Resource<T>> resource) {
    if (!closed) {
      answer =
          resource.hasValue()
              ? StatusOr.fromValue(resource.getValue().value())
              : StatusOr.fromStatus(texts.unavailable(type, name, resource.getStatus()));
      ambient = null;
      onChange.run();
    }
  }

  @Override
  public void onAmbientError(Status status) {
    if (!closed) {
      ambient = status.isOk() ? null : texts.ambient(type, name, status);
      onChange.run();
    }
  }

  void close() {
    closed = true;
    watch.cancel();
  }

  /** Like {@link #close}, when another resource of the same type is watched right after. */
  void closeForReplacement() {
    closed = true;
    watch.cancelForReplacement();
  }
}
