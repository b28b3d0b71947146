// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.Resource;

/** The decision about one name of a type on a stream. */
sealed interface NameDecision {
  /** The cases; an implementation has to handle each. */
  interface Visitor {
    /** The proxy holds the right version, or nothing can be done. */
    void nothing();

    /** Another response has to be answered first. */
    void await();

    void send(Resource resource);

    /** The proxy holds the name and should not. */
    void remove();

    /** The proxy subscribed to the name, it does not exist, and the proxy has not been told why. */
    void reportMissing(String reason);
  }

  void accept(Visitor visitor);

  NameDecision NOTHING = new Nothing();
  NameDecision WAIT = new Wait();
  NameDecision REMOVE = new Remove();

  /** See {@link Visitor#nothing}. */
  record Nothing() implements NameDecision {
    @Override
    public void accept(Visitor visitor) {
      visitor.nothing();
    }
  }

  /** See {@link Visitor#await}. */
  record Wait() implements NameDecision {
    @Override
    public void accept(Visitor visitor) {
      visitor.await();
    }
  }

  /** See {@link Visitor#send}. */
  record Send(Resource resource) implements NameDecision {
    @Override
    public void accept(Visitor visitor) {
      visitor.send(resource);
    }
  }

  /** See {@link Visitor#remove}. */
  record Remove() implements NameDecision {
    @Override
    public void accept(Visitor visitor) {
      visitor.remove();
    }
  }

  /** See {@link Visitor#reportMissing}. */
  record ReportMissing(String reason) implements NameDecision {
    @Override
    public void accept(Visitor visitor) {
      visitor.reportMissing(reason);
    }
  }
}
