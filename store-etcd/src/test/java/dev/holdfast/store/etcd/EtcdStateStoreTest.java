// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.CompactionSettings;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.contract.GenerationsContract;
import dev.holdfast.config.contract.HistoryContract;
import dev.holdfast.config.contract.RecordStoreContract;
import dev.holdfast.config.contract.StateStoreContract;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EtcdStateStoreTest
    implements StateStoreContract, GenerationsContract, HistoryContract, RecordStoreContract {
  private static final EtcdPlace PLACE = EtcdPlace.parse("etcd://test:1/shop");
  private static final String LEADER = "/shop/leader";

  private final ManualTime time = new ManualTime();
  private final FakeEtcd etcd = leading(new FakeEtcd(time));

  private static FakeEtcd leading(FakeEtcd etcd) {
    etcd.put(LEADER, "me");
    return etcd;
  }

  private static Fence fence(FakeEtcd etcd) {
    long created = requireNonNull(etcd.keys.get(LEADER)).getCreateRevision();
    return new Fence(ByteString.copyFromUtf8(LEADER), "me", () -> created);
  }

  private StateStore open(FakeEtcd etcd, Fence fence, int historyLimit) {
    return EtcdStateStore.open(etcd, PLACE, fence, time, historyLimit, CompactionSettings.inline());
  }

  @Override
  public StateStore open(int historyLimit) {
    return open(etcd, fence(etcd), historyLimit);
  }

  @Override
  public Place newPlace() {
    FakeEtcd another = leading(new FakeEtcd(time));
    return new Place() {
      @Override
      public StateStore open(int historyLimit, CompactionSettings compaction) {
        return EtcdStateStore.open(another, PLACE, fence(another), time, historyLimit, compaction);
      }

      @Override
      public void next(List<Fate> fates) {
        if (fates.isEmpty()) {
          another.fates.clear();
        }
        another.fates.addAll(fates);
      }

      @Override
      public void arriveLate() {
        another.arriveLate();
      }

      @Override
      public int size() {
        return another.keys.size();
      }
    };
  }

  /** A change and the root are one transaction. */
  @Override
  public int writesPerChange() {
    return 1;
  }

  private static StateChange change(String name, long generation) {
    return StateChange.builder()
        .putAccepted(accepted(key(name), generation))
        .append(happened(name + " " + generation))
        .build();
  }

  @Test
  void aChangeIsOneTransaction() {
    StateStore store = open();
    int before = etcd.transactions;
    store.commit(change("a", 1));
    assertThat(etcd.transactions).isEqualTo(before + 1);
  }

  @Test
  void aServerThatLeadsNoMoreWritesNothingEverAgain() {
    StateStore store = open();
    store.commit(change("a", 1));
    etcd.keys.remove(LEADER);
    etcd.put(LEADER, "another");
    long revision = etcd.revision;

    assertThatThrownBy(() -> store.commit(change("a", 2)))
        .isInstanceOfSatisfying(
            StateStoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StateStoreException.Kind.IN_USE))
        .hasMessage(
            "state in etcd://test:1/shop: another process has taken it over (expected: one"
                + " leader)");
    assertThatThrownBy(() -> store.generations().assign(Map.of(key("a"), "d"), NOW))
        .isInstanceOf(StateStoreException.class);
    assertThat(etcd.revision).as("nothing was written").isEqualTo(revision);
  }

  @Test
  void aServerThatDoesNotLeadCannotOpenTheState() {
    Fence mine = fence(etcd);
    etcd.keys.remove(LEADER);
    etcd.put(LEADER, "another");
    assertThatThrownBy(() -> open(etcd, mine, 10))
        .hasMessageContaining("another process writes to it (expected: one leader)");
  }

  @Test
  void aServerWhoseLeaseHasExpiredWritesAgainWhenItHasANewOne() {
    long[] created = {requireNonNull(etcd.keys.get(LEADER)).getCreateRevision()};
    Fence fence = new Fence(ByteString.copyFromUtf8(LEADER), "me", () -> created[0]);
    StateStore store = open(etcd, fence, 100);
    store.commit(change("a", 1));
    etcd.keys.remove(LEADER);
    assertThatThrownBy(() -> store.commit(change("a", 2)))
        .hasMessageContaining("cannot be written: the lease of this server has expired");
    etcd.put(LEADER, "me"); // and the election does not know it yet
    assertThatThrownBy(() -> store.commit(change("a", 2)))
        .hasMessageContaining("cannot be written: the lease of this server has expired");
    created[0] = 0; // the election knows that it has no key, and nothing more
    assertThatThrownBy(() -> store.commit(change("a", 2)))
        .hasMessageContaining("cannot be written: the lease of this server has expired");

    created[0] = requireNonNull(etcd.keys.get(LEADER)).getCreateRevision();
    store.commit(change("a", 3));
    assertThat(store.load().accepted().get(key("a")))
        .satisfies(spec -> assertThat(requireNonNull(spec).object().generation()).isEqualTo(3));
  }

  @Test
  void etcdIsToldToForgetWhatIsOlderThanFiveMinutes() {
    StateStore store = open();
    for (long i = 1; i <= 1_500; i++) {
      store.commit(change("a", i));
      time.advance(Duration.ofSeconds(1), () -> {});
    }
    assertThat(etcd.compactions).hasSizeGreaterThanOrEqualTo(2).isSorted();
    assertThat(etcd.compactions.get(etcd.compactions.size() - 1)).isLessThan(etcd.revision - 300);
  }

  @Test
  void aWriteThatTwoMembersCarryOutIsOneWrite() {
    StateStore store = open();
    etcd.isSentTwice = true;
    store.commit(change("a", 1));
    store.commit(change("a", 2));
    assertThat(open().history(HistoryQuery.newest(9))).hasSize(2);
  }

  @Test
  void whatNobodyRefersToIsDeletedByWhoeverOpensTheState() {
    StateStore store = open();
    store.commit(change("a", 1));
    etcd.put("/shop/state/root-9-cafecafe-0", "{}");
    etcd.put("/shop/statement", "of somebody else");
    assertThat(open().load().accepted()).containsOnlyKeys(key("a"));
    assertThat(etcd.keys).doesNotContainKey("/shop/state/root-9-cafecafe-0");
    assertThat(etcd.keys).containsKey("/shop/statement");
  }

  @Test
  void theContentOfASecretIsNotStored() {
    Position here = Position.of("test");
    ConfigObject secret =
        new ConfigObject(
            new ObjectKey("Secret", "shop", "tls"),
            "v1",
            "",
            1,
            NOW,
            new TreeMap<>(),
            new TreeMap<>(Map.of("note", "hush-hush")),
            new Mapping(
                Map.of("data", new Mapping(Map.of("tls.key", new Scalar("hush-hush", here)), here)),
                here));
    StateStore store = open();
    store.commit(StateChange.builder().putAccepted(AcceptedSpec.of(secret)).build());
    assertThat(open().load().accepted().values().toString()).doesNotContain("hush-hush");
  }

  @Test
  void whatIsMissingOrForeignIsSaid() {
    open().commit(change("a", 1));
    etcd.keys.keySet().removeIf(name -> name.startsWith("/shop/state/root-"));
    assertThatThrownBy(this::open)
        .hasMessageContaining(
            "is missing (to start without state, delete all keys that begin with /shop/state/)");

    etcd.put("/shop/state/root", "hello");
    assertThatThrownBy(this::open)
        .hasMessage("state in etcd://test:1/shop: not written by Holdfast");
    etcd.put("/shop/state/root", "{\"format\":\"2\"}");
    assertThatThrownBy(this::open).hasMessageContaining("has format 2 (expected: 1");
    etcd.isAway = true;
    assertThatThrownBy(this::open)
        .hasMessage("state in etcd://test:1/shop: etcd at test:1: connection refused");
  }
}
