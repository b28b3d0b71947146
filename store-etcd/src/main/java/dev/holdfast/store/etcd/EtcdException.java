// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import org.jspecify.annotations.Nullable;

/** A call to etcd failed. The message says which member, and why. */
public final class EtcdException extends Exception {
  private final Kind kind;

  /** What a failure means for the caller. */
  public enum Kind {
    /** It is not known whether the call was carried out; another try may help. */
    NO_ANSWER,
    /** The lease of the call has expired. Nothing was done. */
    NO_LEASE,
    /** etcd does not do it, and another try does not help. Nothing was done. */
    REFUSED
  }

  EtcdException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
