// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.fixture.FakeServers;
import dev.holdfast.xds.client.fixture.RecordingObserver;
import dev.holdfast.xds.client.fixture.TestWatcher;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A watcher is told the difference between what it knows and what is. */
class WatcherSlotTest {
  private static final Status GONE = Status.NOT_FOUND.withDescription("gone");
  private static final Status DOWN = Status.UNAVAILABLE.withDescription("down");

  // Value objects are compared by identity.
  private final Resource<String> one = new Resource<>("foo", "1", "one");
  private final Resource<String> two = new Resource<>("foo", "2", "two");

  private final RecordingObserver observer = new RecordingObserver();
  private final EngineContext context =
      new EngineContext(
          XdsClientConfig.builder().build(),
          new FakeServers(),
          new Env(Runnable::run, new ManualTime(), new Random(1)),
          observer);
  private final TestWatcher watcher = new TestWatcher("foo");
  private final WatcherSlot<String> slot = slot(watcher, Runnable::run);

  private WatcherSlot<String> slot(ResourceWatcher<String> of, Executor executor) {
    return new WatcherSlot<>(of, executor, context);
  }

  private void tell(View<String> view) {
    slot.tell(view, null);
  }

  @Test
  void whoeverKnowsNothingIsToldEverything() {
    tell(View.resource(one, DOWN));

    assertThat(watcher.resource()).isEqualTo("one");
    assertThat(watcher.ambient()).isEqualTo(DOWN);
    watcher.nothing();
  }

  @Test
  void nothingIsNotTold() {
    tell(View.nothing());
    watcher.nothing();
  }

  @Test
  void whatIsKnownIsNotToldAgain() {
    tell(View.resource(one, DOWN));
    tell(View.resource(one, Status.UNAVAILABLE.withDescription("down")));
    tell(View.resource(new Resource<>("foo", "9", one.value()), DOWN)); // only the version moved

    assertThat(watcher.calls()).isEqualTo(2);
  }

  @Test
  void ambientErrorsComeChangeAndGo() {
    tell(View.resource(one, null));
    tell(View.resource(one, DOWN));
    tell(View.resource(one, GONE));
    tell(View.resource(one, null));

    assertThat(watcher.resource()).isEqualTo("one");
    assertThat(watcher.ambient()).isEqualTo(DOWN);
    assertThat(watcher.ambient()).isEqualTo(GONE);
    assertThat(watcher.ambient()).isEqualTo(Status.OK);
    watcher.nothing();
  }

  @Test
  void aNewResourceEndsTheAmbientErrorByItself() {
    tell(View.resource(one, DOWN));
    tell(View.resource(two, null));

    assertThat(watcher.resource()).isEqualTo("one");
    assertThat(watcher.ambient()).isEqualTo(DOWN);
    assertThat(watcher.resource()).isEqualTo("two");
    watcher.nothing();
  }

  @Test
  void anAmbientErrorThatOutlastsTheResourceIsToldAgain() {
    tell(View.resource(one, DOWN));
    tell(View.resource(two, DOWN));

    assertThat(watcher.resource()).isEqualTo("one");
    assertThat(watcher.ambient()).isEqualTo(DOWN);
    assertThat(watcher.resource()).isEqualTo("two"); // which ended it
    assertThat(watcher.ambient()).isEqualTo(DOWN);
    watcher.nothing();
  }

  @Test
  void anErrorTakesTheResourcesPlaceAndTheSameResourceComesBack() {
    tell(View.resource(one, null));
    tell(View.error(GONE));
    tell(View.error(Status.NOT_FOUND.withDescription("gone")));
    tell(View.error(DOWN));
    tell(View.resource(one, null));

    assertThat(watcher.resource()).isEqualTo("one");
    assertThat(watcher.error()).isEqualTo(GONE);
    assertThat(watcher.error()).isEqualTo(DOWN);
    assertThat(watcher.resource()).isEqualTo("one");
    watcher.nothing();
  }

  @Test
  void anErrorThatIsOverWithoutASuccessorStandsUntilThereIsOne() {
    tell(View.error(DOWN));
    tell(View.nothing());
    tell(View.error(DOWN));

    assertThat(watcher.error()).isEqualTo(DOWN);
    watcher.nothing();
  }

  @Test
  void nothingIsToldAfterCancel() {
    ManualExecutor executor = new ManualExecutor();
    WatcherSlot<String> late = slot(watcher, executor);
    late.tell(View.resource(one, DOWN), null);
    late.cancel();
    executor.runAll();

    watcher.nothing();
  }

  @Test
  void theBarrierIsHeldUntilEveryCallHasReturned() {
    ManualExecutor executor = new ManualExecutor();
    AtomicInteger released = new AtomicInteger();
    ReadBarrier barrier = new ReadBarrier(released::incrementAndGet);
    slot(watcher, executor).tell(View.resource(one, DOWN), barrier);
    barrier.release();

    assertThat(released).hasValue(0);
    assertThat(executor.runOne()).isTrue();
    assertThat(released).hasValue(0);
    assertThat(executor.runOne()).isTrue();
    assertThat(released).hasValue(1);
  }

  @Test
  void aCancelledWatcherLetsTheBarrierGo() {
    ManualExecutor executor = new ManualExecutor();
    AtomicInteger released = new AtomicInteger();
    ReadBarrier barrier = new ReadBarrier(released::incrementAndGet);
    WatcherSlot<String> late = slot(watcher, executor);
    late.tell(View.error(GONE), barrier);
    barrier.release();
    late.cancel();
    executor.runAll();

    assertThat(released).hasValue(1);
  }

  @Test
  void anExecutorThatRefusesDoesNotHoldTheBarrier() {
    AtomicInteger released = new AtomicInteger();
    ReadBarrier barrier = new ReadBarrier(released::incrementAndGet);
    Executor shutDown =
        task -> {
          throw new RejectedExecutionException("shut down");
        };
    slot(watcher, shutDown).tell(View.resource(one, DOWN), barrier);
    barrier.release();

    assertThat(released).hasValue(1);
    assertThat(observer.uncaught()).hasSize(1); // without the resource, no error is ambient
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWatcherThatThrowsIsReportedAndHoldsNothingUp(boolean error) {
    AtomicInteger released = new AtomicInteger();
    ReadBarrier barrier = new ReadBarrier(released::incrementAndGet);
    ResourceWatcher<String> broken =
        new ResourceWatcher<>() {
          @Override
          public void onResourceChanged(StatusOr<Resource<String>> resource) {
            if (error) {
              throw new StackOverflowError();
            }
            throw new IllegalStateException();
          }

          @Override
          public void onAmbientError(Status status) {
            watcher.onResourceChanged(StatusOr.fromStatus(status));
          }
        };
    slot(broken, Runnable::run).tell(View.resource(one, DOWN), barrier);
    barrier.release();

    assertThat(observer.uncaught()).hasSize(1);
    assertThat(watcher.error()).isEqualTo(DOWN); // it hears of what follows all the same
    assertThat(released).hasValue(1);
  }
}
