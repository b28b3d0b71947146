// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out what an entry of a response is, and decodes it unless its bytes are known. */
final class EntryReader<T> {
  private final CacheUpdate<T> intake;

  EntryReader(CacheUpdate<T> intake) {
    this.intake = intake;
  }

  void read(int index, RawResource raw) {
    intake.begin(/* wrapped= */ raw.name() != null);
    ByteString bytes = raw.bytes();
    if (raw.fault() != null) {
      unusable(index, raw.name(), raw.fault());
    } else if (bytes == null) {
      withoutBody(index, raw);
    } else {
      String name = raw.name() != null ? raw.name() : peekName(bytes);
      if (name == null) {
        decode(index, null, bytes, raw);
      } else {
        Subscription<T> subscription = find(index, name);
        if (subscription != null) {
          known(index, subscription, bytes, raw);
        }
      }
    }
  }

  void known(int index, Subscription<T> subscription, ByteString bytes, RawResource raw) {
    Cached<T> cached = subscription.entry.state().resource();
    if (cached != null
        && intake.connection.server.equals(subscription.entry.source())
        && cached.serialized().equals(bytes)) {
      intake.accepted(subscription, cached.value(), cached.serialized(), raw);
    } else if (subscription.rejected != null && subscription.rejected.bytes().equals(bytes)) {
      intake.rejected(index, subscription, subscription.rejected.problems(), /* again= */ true);
    } else {
      decode(index, subscription, bytes, raw);
    }
  }

  /**
   * @param known null if the name cannot be told without decoding
   */
  private void decode(
      int index, @Nullable Subscription<T> known, ByteString view, RawResource raw) {
    // The view keeps the whole response alive; what is kept must not.
    ByteString bytes = UnsafeByteOperations.unsafeWrap(view.toByteArray());
    Decoded<T> decoded = decodeContained(bytes);
    Subscription<T> subscription = known == null ? find(index, decoded) : known;
    if (subscription == null) {
      return;
    }
    if (decoded instanceof Decoded.Valid<T> good) {
      intake.accepted(subscription, good.value(), bytes, raw);
    } else if (decoded instanceof Decoded.Invalid<T> bad) {
      subscription.rejected = new Subscription.Rejected(bytes, bad.problems());
      intake.rejected(index, subscription, bad.problems(), /* again= */ false);
    }
  }

  private Decoded<T> decodeContained(ByteString bytes) {
    try {
      return intake.type.type.decode(bytes, intake.connection.server);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      return Decoded.invalid(null, undecodable("the decoder failed: " + e));
    }
  }

  @Nullable String peekName(ByteString bytes) {
    try {
      String name = intake.type.type.peekName(bytes);
      return name == null || name.isEmpty() ? null : name;
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      return null; // the decoder gets to see the same bytes
    }
  }

  /** A wrapper around nothing. In Delta that is how a server says "still the same". */
  private void withoutBody(int index, RawResource raw) {
    Subscription<T> subscription =
        raw.name() == null ? null : intake.subscriptionOrNull(raw.name());
    Cached<T> cached = subscription == null ? null : subscription.entry.state().resource();
    if (subscription != null
        && cached != null
        && intake.response.protocol() == AdsProtocol.DELTA
        && cached.version().equals(raw.version())) {
      intake.accepted(subscription, cached.value(), cached.serialized(), raw);
    } else {
      unusable(index, raw.name(), "the wrapper holds no resource");
    }
  }

  /** An entry of which at most the wrapper could be read. */
  private void unusable(int index, @Nullable String name, String fault) {
    if (name == null) {
      intake.nobodys(index, null, undecodable(fault));
      return;
    }
    Subscription<T> subscription = find(index, name);
    if (subscription != null) {
      ByteString packed = intake.response.packed().get(index);
      boolean again = subscription.rejected != null && subscription.rejected.bytes().equals(packed);
      List<Problem> problems = undecodable(fault);
      if (!again) {
        ByteString bytes = UnsafeByteOperations.unsafeWrap(packed.toByteArray());
        subscription.rejected = new Subscription.Rejected(bytes, problems);
      }
      intake.rejected(index, subscription, problems, again);
    }
  }

  /** Null if the name was not asked for, and also if it is no name, which is noted. */
  private @Nullable Subscription<T> find(int index, String name) {
    try {
      return intake.subscription(name); // if there is none, the resource is neither used nor judged
    } catch (ResourceName.MalformedException e) {
      intake.nobodys(index, name, List.of(new Problem("name", Problem.Kind.INVALID, e.reason())));
      return null;
    }
  }

  private @Nullable Subscription<T> find(int index, Decoded<T> decoded) {
    String name = decoded.name();
    if (name != null && !name.isEmpty()) {
      return find(index, name);
    }
    intake.nobodys(
        index,
        null,
        decoded.fold(
            good -> List.of(new Problem("name", Problem.Kind.REQUIRED, "must be set")),
            bad -> bad.problems()));
    return null;
  }

  private static List<Problem> undecodable(String message) {
    return List.of(new Problem("", Problem.Kind.UNDECODABLE, message));
  }
}
