// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the client knows of one resource (gRFC A88, "Cache Entry States"). Watchers, dump and
 * metrics are all derived from this one value.
 *
 * <p>{@link Requested} is where every entry starts; any state may follow any other, except that
 * nothing returns to {@code Requested} and {@link TimedOut} only follows states without a resource.
 *
 * @param <T> the decoded resource
 */
public sealed interface CacheEntry<T> {
  /** The resource in use, if any. */
  @Nullable Cached<T> resource();

  /** What is wrong, if anything. */
  @Nullable Failure failure();

  /** The state's name. */
  State state();

  /** The value of the metric label {@code grpc.xds.cache_state}. */
  default String label() {
    return resource() == null || state() == State.ACKED
        ? state().label
        : state().label + "_but_cached";
  }

  /** The states of gRFC A88, as CSDS names them. */
  enum State {
    REQUESTED("requested"),
    DOES_NOT_EXIST("does_not_exist"),
    ACKED("acked"),
    NACKED("nacked"),
    RECEIVED_ERROR("received_error"),
    TIMEOUT("timeout");

    private final String label;

    State(String label) {
      this.label = label;
    }
  }

  /**
   * A resource in use.
   *
   * @param serialized its bytes as received, without any wrapper
   * @param version the server's newest name for these bytes
   * @param updated when the server last sent them
   */
  record Cached<T>(T value, ByteString serialized, String version, Instant updated) {}

  /**
   * What went wrong.
   *
   * @param status with a text that names resource and node
   * @param version of the response that brought the error; empty if none did
   * @param time when that response came; null if none did
   */
  record Failure(Status status, String version, @Nullable Instant time) {}

  /** Subscribed to; nothing heard yet. */
  record Requested<T>() implements CacheEntry<T> {
    @Override
    public @Nullable Cached<T> resource() {
      return null;
    }

    @Override
    public @Nullable Failure failure() {
      return null;
    }

    @Override
    public State state() {
      return State.REQUESTED;
    }
  }

  /** In use and valid. */
  record Acked<T>(Cached<T> resource) implements CacheEntry<T> {
    @Override
    public @Nullable Failure failure() {
      return null;
    }

    @Override
    public State state() {
      return State.ACKED;
    }
  }

  /** The newest version was invalid. */
  record Nacked<T>(@Nullable Cached<T> resource, Failure failure) implements CacheEntry<T> {
    @Override
    public State state() {
      return State.NACKED;
    }
  }

  /** Deleted by the server, or not sent in time. */
  record DoesNotExist<T>(@Nullable Cached<T> resource, Failure failure) implements CacheEntry<T> {
    @Override
    public State state() {
      return State.DOES_NOT_EXIST;
    }
  }

  /** The server sent an error in its place (xRFC TP3). */
  record ReceivedError<T>(@Nullable Cached<T> resource, Failure failure) implements CacheEntry<T> {
    @Override
    public State state() {
      return State.RECEIVED_ERROR;
    }
  }

  /** Not sent in time by a server that would have said so if it did not exist. */
  record TimedOut<T>(Failure failure) implements CacheEntry<T> {
    @Override
    public @Nullable Cached<T> resource() {
      return null;
    }

    @Override
    public State state() {
      return State.TIMEOUT;
    }
  }
}
