// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import com.google.protobuf.ByteString;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.contract.RecordStoreContract.Fate;
import dev.holdfast.store.etcd.EtcdException.Kind;
import io.etcd.jetcd.api.CompactionResponse;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * An etcd in memory: revisions, leases on a manual clock, the limits of the real one, and the
 * answers lost that a test wants lost.
 */
final class FakeEtcd implements EtcdApi {
  private static final int MOST_OPERATIONS = 128;
  private static final int LARGEST_REQUEST = 1_572_864;

  /** By key as text; a key of a test is ASCII. */
  final SortedMap<String, KeyValue> keys = new TreeMap<>();

  final List<Fate> fates = new ArrayList<>();
  final List<Long> compactions = new ArrayList<>();
  boolean isAway;

  /** Each transaction goes to another member, too, because the answer of the first was lost. */
  boolean isSentTwice;

  long revision = 1;
  int transactions;

  private final TimeSource time;
  private final List<Runnable> late = new ArrayList<>();
  private final SortedMap<Long, Lease> leases = new TreeMap<>();
  private long lastLease;

  private record Lease(long seconds, long renewedAt) {}

  FakeEtcd(TimeSource time) {
    this.time = time;
  }

  /** Carries out what was lost on the way and arrives after all. */
  void arriveLate() {
    late.forEach(Runnable::run);
    late.clear();
  }

  /** As after a restart of etcd: each lease has its whole time again. */
  void restart() {
    leases.replaceAll((id, lease) -> new Lease(lease.seconds(), time.nanoTime()));
    isAway = false;
  }

  /** A key that somebody else writes. */
  void put(String key, String value) {
    revision++;
    store(Etcd.put(ByteString.copyFromUtf8(key), ByteString.copyFromUtf8(value)));
  }

  // Calls.

  @Override
  public CompletionStage<RangeResponse> range(RangeRequest request) {
    return answered(() -> read(request));
  }

  @Override
  public CompletionStage<TxnResponse> txn(TxnRequest request) {
    if (isAway) {
      return answered(TxnResponse::getDefaultInstance);
    }
    if (request.getSuccessCount() > MOST_OPERATIONS
        || request.getSerializedSize() > LARGEST_REQUEST) {
      return CompletableFuture.failedFuture(
          new EtcdException(Kind.REFUSED, "request is too large", null));
    }
    Fate fate = fates.isEmpty() ? Fate.NORMAL : fates.remove(0);
    return switch (fate) {
      case NORMAL -> {
        if (isSentTwice) {
          carriedOut(request);
        }
        yield carriedOut(request);
      }
      case LOST -> {
        late.add(() -> carriedOut(request));
        yield noAnswer();
      }
      case DONE_BUT_NOT_ANSWERED -> {
        carriedOut(request);
        yield noAnswer();
      }
    };
  }

  @Override
  public CompletionStage<LeaseGrantResponse> grant(long seconds) {
    return answered(
        () -> {
          lastLease++;
          leases.put(lastLease, new Lease(seconds, time.nanoTime()));
          return LeaseGrantResponse.newBuilder().setID(lastLease).setTTL(seconds).build();
        });
  }

  @Override
  public CompletionStage<LeaseKeepAliveResponse> keepAlive(long id) {
    return answered(
        () -> {
          Lease lease = leases.get(id);
          if (lease != null) {
            leases.put(id, new Lease(lease.seconds(), time.nanoTime()));
          }
          return LeaseKeepAliveResponse.newBuilder()
              .setID(id)
              .setTTL(lease == null ? 0 : lease.seconds())
              .build();
        });
  }

  @Override
  public CompletionStage<?> revoke(long id) {
    return answered(
        () -> {
          end(id);
          return LeaseRevokeResponse.getDefaultInstance();
        });
  }

  @Override
  public CompletionStage<?> compact(long to) {
    return answered(
        () -> {
          compactions.add(to);
          return CompactionResponse.getDefaultInstance();
        });
  }

  // Answers.

  private <R> CompletionStage<R> answered(Supplier<R> answer) {
    if (isAway) {
      return CompletableFuture.failedFuture(
          new EtcdException(Kind.NO_ANSWER, "etcd at test:1: connection refused", null));
    }
    expireLeases();
    return CompletableFuture.completedFuture(answer.get());
  }

  private static <R> CompletionStage<R> noAnswer() {
    return CompletableFuture.failedFuture(
        new EtcdException(Kind.NO_ANSWER, "etcd at test:1: no answer within 5 s", null));
  }

  private void expireLeases() {
    for (long id : List.copyOf(leases.keySet())) {
      Lease lease = leases.get(id);
      if (lease != null && time.nanoTime() - lease.renewedAt() >= lease.seconds() * 1_000_000_000) {
        end(id);
      }
    }
  }

  private void end(long id) {
    if (leases.remove(id) != null && keys.values().removeIf(kv -> kv.getLease() == id)) {
      revision++;
    }
  }

  private CompletionStage<TxnResponse> carriedOut(TxnRequest request) {
    expireLeases();
    transactions++;
    boolean succeeded = request.getCompareList().stream().allMatch(this::holds);
    List<RequestOp> operations = succeeded ? request.getSuccessList() : request.getFailureList();
    for (RequestOp each : operations) {
      long lease = each.getRequestPut().getLease();
      if (each.hasRequestPut() && lease != 0 && !leases.containsKey(lease)) {
        return CompletableFuture.failedFuture(
            new EtcdException(Kind.NO_LEASE, "requested lease not found", null));
      }
    }
    if (operations.stream().anyMatch(each -> !each.hasRequestRange())) {
      revision++;
    }
    TxnResponse.Builder response = TxnResponse.newBuilder().setSucceeded(succeeded);
    operations.forEach(each -> response.addResponses(carriedOut(each)));
    return CompletableFuture.completedFuture(response.setHeader(header()).build());
  }

  private ResponseOp carriedOut(RequestOp operation) {
    ResponseOp.Builder response = ResponseOp.newBuilder();
    switch (operation.getRequestCase()) {
      case REQUEST_RANGE -> response.setResponseRange(read(operation.getRequestRange()));
      case REQUEST_PUT -> {
        store(operation.getRequestPut());
        response.setResponsePut(PutResponse.getDefaultInstance());
      }
      case REQUEST_DELETE_RANGE -> {
        keys.remove(operation.getRequestDeleteRange().getKey().toStringUtf8());
        response.setResponseDeleteRange(DeleteRangeResponse.getDefaultInstance());
      }
      default -> throw new AssertionError(operation);
    }
    return response.build();
  }

  private boolean holds(Compare compare) {
    KeyValue found =
        keys.getOrDefault(compare.getKey().toStringUtf8(), KeyValue.getDefaultInstance());
    return switch (compare.getTarget()) {
      case CREATE -> found.getCreateRevision() == compare.getCreateRevision();
      case MOD -> found.getModRevision() == compare.getModRevision();
      case VALUE -> !found.getKey().isEmpty() && found.getValue().equals(compare.getValue());
      default -> throw new AssertionError(compare);
    };
  }

  private void store(PutRequest put) {
    String key = put.getKey().toStringUtf8();
    KeyValue before = keys.get(key);
    keys.put(
        key,
        KeyValue.newBuilder()
            .setKey(put.getKey())
            .setValue(put.getValue())
            .setLease(put.getLease())
            .setCreateRevision(before == null ? revision : before.getCreateRevision())
            .setModRevision(revision)
            .build());
  }

  private RangeResponse read(RangeRequest request) {
    RangeResponse.Builder response = RangeResponse.newBuilder().setHeader(header());
    String from = request.getKey().toStringUtf8();
    if (request.getRangeEnd().isEmpty()) {
      KeyValue found = keys.get(from);
      return found == null ? response.build() : response.addKvs(found).build();
    }
    for (KeyValue each : keys.subMap(from, request.getRangeEnd().toStringUtf8()).values()) {
      if (response.getKvsCount() == request.getLimit()) {
        return response.setMore(true).build();
      }
      response.addKvs(each);
    }
    return response.build();
  }

  private ResponseHeader header() {
    return ResponseHeader.newBuilder().setRevision(revision).build();
  }
}
