// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import com.google.protobuf.ByteString;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.RecordSpace;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one state. Every transaction compares the fence of the leader, so that one which does
 * not lead any more changes nothing. New records and the root go together in one transaction, if
 * they fit into one.
 *
 * <p>etcd keeps what keys were before until somebody forgets it, and takes no more writes when its
 * space is used up. So from time to time this makes etcd forget what is older than five minutes, as
 * a Kubernetes API server does with its own.
 */
final class EtcdRecords implements RecordSpace {
  /** etcd takes 128, of which the root is one. */
  private static final int MOST_WRITES = 100;

  /** etcd takes 1.5 MiB in one request. */
  private static final int MOST_BYTES = 1_200_000;

  private static final int PAGE = 32;
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final Duration MEMORY = Duration.ofMinutes(5);
  private static final Position HERE = Position.of("etcd");

  private final EtcdApi etcd;
  private final EtcdPlace place;
  private final Fence fence;
  private final TimeSource time;
  private final String directory;

  // Under the lock of this object.

  /** A revision, and when it was the newest: what came before may be forgotten later. */
  private long oldRevision;

  private long oldRevisionAt;
  private long newestRevision;

  EtcdRecords(EtcdApi etcd, EtcdPlace place, Fence fence, TimeSource time) {
    this.etcd = etcd;
    this.place = place;
    this.fence = fence;
    this.time = time;
    this.directory = place.prefix() + "/state/";
  }

  @Override
  public String place() {
    return place.toString();
  }

  @Override
  public String howToDelete() {
    return "delete all keys that begin with " + directory;
  }

  @Override
  public @Nullable Entry get(String name) throws NoAnswerException {
    RangeResponse response = await(etcd.range(Etcd.get(key(name))));
    return response.getKvsCount() == 0 ? null : entry(response.getKvs(0));
  }

  @Override
  public @Nullable Entry create(String name, Map<String, String> data) throws NoAnswerException {
    return write(name, 0, data, Map.of());
  }

  @Override
  public @Nullable Entry swap(
      Entry before, Map<String, String> data, Map<String, ? extends Map<String, String>> records)
      throws NoAnswerException {
    long version = Long.parseLong(before.version());
    Map<String, ByteString> pending = new LinkedHashMap<>();
    int size = 0;
    for (Map.Entry<String, ? extends Map<String, String>> record : records.entrySet()) {
      ByteString value = value(record.getValue());
      if (!pending.isEmpty()
          && (pending.size() >= MOST_WRITES || size + value.size() > MOST_BYTES)) {
        if (!writeAhead(before.name(), version, pending)) {
          return null;
        }
        pending.clear();
        size = 0;
      }
      pending.put(record.getKey(), value);
      size += value.size();
    }
    return write(before.name(), version, data, pending);
  }

  /** Writes records that nobody sees yet, if the root is as it was. */
  private boolean writeAhead(String root, long version, Map<String, ByteString> records)
      throws NoAnswerException {
    TxnRequest.Builder request = fenced().addCompare(Etcd.isChangedAt(key(root), version));
    addTo(request, records);
    TxnResponse response = send(request.addFailure(Etcd.read(fence.key())));
    if (!response.getSucceeded()) {
      checkFence(response.getResponses(0).getResponseRange());
    }
    return response.getSucceeded();
  }

  /**
   * Writes a key if it is as it was, with other records.
   *
   * @param version the revision that changed it last; 0 if there must be none
   */
  private @Nullable Entry write(
      String name, long version, Map<String, String> data, Map<String, ByteString> records)
      throws NoAnswerException {
    ByteString value = value(data);
    TxnRequest.Builder request = fenced().addCompare(Etcd.isChangedAt(key(name), version));
    addTo(request, records);
    request.addSuccess(RequestOp.newBuilder().setRequestPut(Etcd.put(key(name), value)));
    request.addFailure(Etcd.read(key(name))).addFailure(Etcd.read(fence.key()));
    TxnResponse response = send(request);
    if (response.getSucceeded()) {
      return new Entry(
          name, Long.toString(response.getHeader().getRevision()), new TreeMap<>(data));
    }
    RangeResponse found = response.getResponses(0).getResponseRange();
    if (found.getKvsCount() > 0 && found.getKvs(0).getValue().equals(value)) {
      return entry(found.getKvs(0)); // an earlier try, at a member whose answer was lost
    }
    checkFence(response.getResponses(1).getResponseRange());
    return null;
  }

  @Override
  public SortedMap<String, Entry> list() throws NoAnswerException {
    SortedMap<String, Entry> all = new TreeMap<>();
    ByteString from = ByteString.copyFromUtf8(directory);
    ByteString end = ByteString.copyFromUtf8(place.prefix() + "/state0"); // '0' follows '/'
    long revision = 0;
    while (true) {
      RangeResponse page =
          await(
              etcd.range(
                  RangeRequest.newBuilder()
                      .setKey(from)
                      .setRangeEnd(end)
                      .setLimit(PAGE)
                      .setRevision(revision)
                      .build()));
      for (KeyValue each : page.getKvsList()) {
        Entry entry = entry(each);
        all.put(entry.name(), entry);
        from = each.getKey().concat(ByteString.copyFrom(new byte[] {0}));
      }
      if (!page.getMore()) {
        return all;
      }
      revision = page.getHeader().getRevision(); // all pages of the same moment
    }
  }

  @Override
  public void delete(List<String> names) {
    try {
      for (int from = 0; from < names.size(); from += MOST_WRITES) {
        TxnRequest.Builder request = fenced();
        for (String name : names.subList(from, Math.min(names.size(), from + MOST_WRITES))) {
          request.addSuccess(
              RequestOp.newBuilder()
                  .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key(name))));
        }
        if (!send(request).getSucceeded()) {
          return;
        }
      }
    } catch (NoAnswerException e) {
      return; // whoever opens the state next deletes the rest
    }
    forget();
  }

  /** Makes etcd forget what keys were some time ago. */
  private synchronized void forget() {
    long now = time.nanoTime();
    if (oldRevision != 0 && now - oldRevisionAt < MEMORY.toNanos()) {
      return;
    }
    if (oldRevision != 0) {
      var unused = etcd.compact(oldRevision); // if it fails, the next one forgets this, too
    }
    oldRevision = newestRevision;
    oldRevisionAt = now;
  }

  // The leader.

  private TxnRequest.Builder fenced() throws NoAnswerException {
    long created = fence.created().getAsLong();
    if (created == 0) {
      throw leaseExpired();
    }
    return TxnRequest.newBuilder().addCompare(Etcd.isCreatedAt(fence.key(), created));
  }

  /**
   * A transaction was refused. If another server leads, that is for good; if nobody does, or we do
   * again, the next try may succeed.
   */
  private void checkFence(RangeResponse leader) throws NoAnswerException {
    if (leader.getKvsCount() == 0) {
      throw leaseExpired();
    }
    KeyValue found = leader.getKvs(0);
    boolean isOurs = found.getValue().toStringUtf8().equals(fence.identity());
    if (isOurs && found.getCreateRevision() != fence.created().getAsLong()) {
      throw leaseExpired();
    }
  }

  private static NoAnswerException leaseExpired() {
    return new NoAnswerException(
        "the lease of this server has expired (it writes again when it has a new one)", null);
  }

  // Requests.

  private TxnResponse send(TxnRequest.Builder request) throws NoAnswerException {
    TxnResponse response = await(etcd.txn(request.build()));
    heard(response.getHeader().getRevision());
    return response;
  }

  private synchronized void heard(long revision) {
    newestRevision = Math.max(newestRevision, revision);
  }

  private static <R> R await(CompletionStage<R> stage) throws NoAnswerException {
    try {
      return stage.toCompletableFuture().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new NoAnswerException(String.valueOf(cause.getMessage()), e);
    } catch (TimeoutException e) {
      throw new NoAnswerException("no answer within " + ANSWER.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException("interrupted", e);
    }
  }

  // Keys and values.

  private void addTo(TxnRequest.Builder request, Map<String, ByteString> records) {
    records.forEach(
        (name, value) ->
            request.addSuccess(RequestOp.newBuilder().setRequestPut(Etcd.put(key(name), value))));
  }

  private ByteString key(String name) {
    return ByteString.copyFromUtf8(directory + name);
  }

  private static ByteString value(Map<String, String> data) {
    Map<String, Value> fields = new LinkedHashMap<>();
    new TreeMap<>(data).forEach((name, text) -> fields.put(name, new Scalar(text, HERE)));
    return ByteString.copyFromUtf8(ValueText.of(new Mapping(fields, HERE)));
  }

  /** What is not ours has no fields. */
  private Entry entry(KeyValue found) {
    SortedMap<String, String> data = new TreeMap<>();
    try {
      if (ValueText.parse(found.getValue().toStringUtf8(), HERE) instanceof Mapping mapping) {
        mapping
            .fields()
            .forEach(
                (name, value) -> {
                  if (value instanceof Scalar scalar && scalar.value() instanceof String text) {
                    data.put(name, text);
                  }
                });
      }
    } catch (IllegalArgumentException e) {
      data.clear();
    }
    return new Entry(
        found.getKey().toStringUtf8().substring(directory.length()),
        Long.toString(found.getModRevision()),
        data);
  }
}
