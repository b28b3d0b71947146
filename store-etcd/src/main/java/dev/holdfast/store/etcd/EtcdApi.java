// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.concurrent.CompletionStage;

/** The calls of etcd that Holdfast makes. A stage fails with an {@link EtcdException} only. */
public interface EtcdApi {
  CompletionStage<RangeResponse> range(RangeRequest request);

  /**
   * A transaction that compares before it writes. It may be sent to another member after a first
   * one did not answer, so it may be carried out and then fail its own comparison.
   */
  CompletionStage<TxnResponse> txn(TxnRequest request);

  CompletionStage<LeaseGrantResponse> grant(long seconds);

  /** Keeps a lease for its whole time once more; the response has a TTL of 0 if it has expired. */
  CompletionStage<LeaseKeepAliveResponse> keepAlive(long lease);

  /** Ends a lease, and deletes its keys. */
  CompletionStage<?> revoke(long lease);

  /** Forgets what keys were before a revision. */
  CompletionStage<?> compact(long revision);
}
