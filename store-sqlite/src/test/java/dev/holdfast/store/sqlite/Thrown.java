// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.config.StateStoreException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a store says when it refuses. */
final class Thrown {
  private Thrown() {}

  static String message(StateStoreException.Kind kind, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(StateStoreException.class);
    StateStoreException refused = (StateStoreException) thrown;
    assertThat(refused.kind()).as(refused.getMessage()).isEqualTo(kind);
    return refused.getMessage() == null ? "" : refused.getMessage();
  }
}
