// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;

/** Requests to etcd. */
final class Etcd {
  private Etcd() {}

  static RangeRequest get(ByteString key) {
    return RangeRequest.newBuilder().setKey(key).build();
  }

  static RequestOp read(ByteString key) {
    return RequestOp.newBuilder().setRequestRange(get(key)).build();
  }

  static PutRequest put(ByteString key, ByteString value) {
    return PutRequest.newBuilder().setKey(key).setValue(value).build();
  }

  /** Whether a key was created by a revision; with 0, whether there is none. */
  static Compare isCreatedAt(ByteString key, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.CREATE)
        .setResult(Compare.CompareResult.EQUAL)
        .setCreateRevision(revision)
        .build();
  }

  /** Whether a key was last changed by a revision; with 0, whether there is none. */
  static Compare isChangedAt(ByteString key, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.EQUAL)
        .setModRevision(revision)
        .build();
  }

  static Compare hasValue(ByteString key, ByteString value) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.VALUE)
        .setResult(Compare.CompareResult.EQUAL)
        .setValue(value)
        .build();
  }
}
