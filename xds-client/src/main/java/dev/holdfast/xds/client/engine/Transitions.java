// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Acked;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.DoesNotExist;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.CacheEntry.Nacked;
import dev.holdfast.xds.client.CacheEntry.ReceivedError;
import dev.holdfast.xds.client.CacheEntry.TimedOut;
import dev.holdfast.xds.client.engine.Rules.DataError;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** What each event makes of a cache entry (gRFC A88). Pure. */
final class Transitions {
  private Transitions() {}

  static <T> CacheEntry<T> received(Cached<T> resource) {
    return new Acked<>(resource);
  }

  /** The server sent something that is not valid. */
  static <T> CacheEntry<T> invalid(CacheEntry<T> entry, Failure failure, Rules rules) {
    return new Nacked<>(kept(entry, rules.onInvalid()), failure);
  }

  /** The server says, by omission or in so many words, that the resource is no more. */
  static <T> CacheEntry<T> deleted(CacheEntry<T> entry, Failure failure, Rules rules) {
    if (rules.onDeletion() == DataError.IGNORE && entry.resource() != null) {
      return entry;
    }
    return new DoesNotExist<>(kept(entry, rules.onDeletion()), failure);
  }

  /**
   * The server sent an error for the resource (xRFC TP3): two codes are data errors, all others
   * pass.
   */
  static <T> CacheEntry<T> errorReceived(CacheEntry<T> entry, Failure failure, Rules rules) {
    Status.Code code = failure.status().getCode();
    boolean dataError = code == Status.Code.NOT_FOUND || code == Status.Code.PERMISSION_DENIED;
    return new ReceivedError<>(
        kept(entry, dataError ? rules.onInvalid() : DataError.KEEP), failure);
  }

  /** The resource did not come in time. Only for entries without a resource. */
  static <T> CacheEntry<T> timedOut(Failure failure, Rules rules) {
    return rules.timerIsTransient() ? new TimedOut<>(failure) : new DoesNotExist<>(null, failure);
  }

  private static <T> @Nullable Cached<T> kept(CacheEntry<T> entry, DataError onError) {
    return onError == DataError.DROP ? null : entry.resource();
  }
}
