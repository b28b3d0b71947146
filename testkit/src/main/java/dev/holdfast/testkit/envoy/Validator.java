// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One reason for which an Envoy of some version or build rejects a resource.
 *
 * @see Validators
 */
public interface Validator {
  /** When a real Envoy notices, which decides how much of the response is lost. */
  enum Stage {
    /** While reading the response, before anything of it is used: all of it is lost. */
    DECODE,
    /** While using the resource. */
    APPLY,
    /**
     * While making a cluster's load balancer, when the cluster is already on the books: it stays
     * there, warming for ever.
     */
    LOAD_BALANCER
  }

  /** What is wrong with a resource, in Envoy's words; null if nothing. */
  @Nullable String check(Message resource);

  default Stage stage() {
    return Stage.APPLY;
  }

  /** The same, noticed at another time. */
  default Validator at(Stage stage) {
    Validator self = this;
    return new Validator() {
      @Override
      public @Nullable String check(Message resource) {
        return self.check(resource);
      }

      @Override
      public Stage stage() {
        return stage;
      }
    };
  }

  /** A validator for one type of resource. */
  static <M extends Message> Validator on(
      Class<M> type, Function<? super M, @Nullable String> check) {
    return resource -> type.isInstance(resource) ? check.apply(type.cast(resource)) : null;
  }

  /** What a validator throws to stop the fake's main thread for ever, as an endless script does. */
  final class Hang extends RuntimeException {
    public Hang() {
      super("hangs", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
  }
}
