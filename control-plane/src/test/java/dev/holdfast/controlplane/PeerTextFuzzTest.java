// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.proxy.LocalProblems;
import dev.holdfast.controlplane.ads.proxy.NackMessage;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.log.LimitedLog;
import dev.holdfast.controlplane.mask.SensitiveValues;
import dev.holdfast.controlplane.rollout.search.ErrorHints;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.status.ErrorText;
import dev.holdfast.controlplane.translate.YamlObjects;
import dev.holdfast.testkit.ManualTime;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever text a peer sends, reading it takes a small stack and linear time. The texts are so long
 * that anything worse than linear would take hours, so the timeout cannot be reached by chance.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PeerTextFuzzTest {
  private static final long SMALL_STACK = 192 << 10;
  private static final int LONGEST = 1 << 20;
  private static final int ROUNDS = 60;

  private static final List<String> BAIT =
      List.of(
          "\"",
          "\\",
          "'",
          "(",
          ")",
          "{",
          "}",
          "{\n",
          "[",
          "]",
          " ",
          "\n",
          "\t",
          ":",
          ": ",
          ",",
          "-----BEGIN ",
          "-----BEGIN X-----",
          "-----END ",
          "-----END X-----",
          "-",
          "inline_string: \"",
          "inline_bytes {",
          "private_key: \"\\\"",
          "password{\"",
          "Proto constraint validation failed (",
          "VirtualHosts[",
          "VirtualHosts[999999999999]",
          "virtual_hosts[0].routes[",
          "Routes[0]",
          "duplicate ",
          "Only unique values for domains",
          "cannot bind '",
          "Address already in use",
          "a: ",
          "c0: ",
          "\u0000",
          "\u202e",
          "\ud800",
          "\udc00",
          "é",
          "😀",
          "x",
          "aaaaaaaaaaaaaaaa",
          "...",
          "...(truncated)");

  private final Random random = new Random(20260101);

  /** A text of about so many characters, out of one, two or many sorts of bait. */
  private String text(int length) {
    int sorts = List.of(1, 2, 3, BAIT.size()).get(random.nextInt(4));
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < sorts; i++) {
      chosen.add(BAIT.get(random.nextInt(BAIT.size())));
    }
    StringBuilder text = new StringBuilder(length + 64);
    while (text.length() < length) {
      text.append(chosen.get(random.nextInt(chosen.size())));
    }
    return text.toString();
  }

  private int size() {
    return List.of(0, 10, 1_000, 8_192, 100_000, LONGEST).get(random.nextInt(6));
  }

  /** Runs a task on a thread with a small stack, and throws what it throws. */
  private static void onSmallStack(String text, Runnable task) throws InterruptedException {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(null, task, "small stack", SMALL_STACK);
    thread.setUncaughtExceptionHandler((unused, error) -> thrown.set(error));
    thread.start();
    thread.join();
    assertThat(thrown.get())
        .as("%s characters: %s", text.length(), text.substring(0, Math.min(200, text.length())))
        .isNull();
  }

  @Test
  void errorTexts() throws InterruptedException {
    SensitiveValues sensitive = new SensitiveValues(new ManualTime());
    ConfigObject object =
        requireNonNull(
            YamlObjects.objects(
                    """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: a}
            spec: {virtualhost: {fqdn: a.example.com}, routes: [{conditions: [{prefix: /xxxxxx}]}]}
            """)
                .get(new ObjectKey("HTTPProxy", "default", "a")));
    for (int round = 0; round < ROUNDS; round++) {
      String text = text(size());
      List<String> names = List.of("a", "c0", text(20), text(200));
      onSmallStack(
          text,
          () -> {
            NackMessage message = NackMessage.read(text, sensitive::mask);
            assertThat(message.text().length()).isLessThanOrEqualTo(8_192 * 2);
            message.blamed(names);
            names.forEach(name -> message.about(name, names));
            ResourceType.ALL.forEach(type -> LocalProblems.matches(type, message));
            assertThat(ErrorText.sanitise(message.text())).isNotEmpty();
            ErrorText.sanitise(text);
            ErrorHints.literalsIn(message.text(), object);
          });
    }
  }

  @Test
  void nodes() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      String text = text(size());
      onSmallStack(
          text,
          () -> {
            Node.Builder node =
                Node.newBuilder()
                    .setId(text)
                    .setCluster(text)
                    .setUserAgentName(text)
                    .setUserAgentVersion(text);
            node.getMetadataBuilder()
                .putFields("holdfast_group", Value.newBuilder().setStringValue(text).build());
            ProxyNode read = ProxyNode.of(node.build(), "none");
            assertThat(read.proxyClass()).doesNotContain("\n");
            assertThat(LimitedLog.name(read.id()).length()).isLessThan(300);
          });
    }
  }

  @Test
  void namesNoncesAndVersions() throws InterruptedException {
    AdsHarness ads = new AdsHarness();
    ads.serve(TestResources.cluster("c0", "1"), TestResources.routes("r", "1", "c0"));
    for (int round = 0; round < ROUNDS; round++) {
      String text = text(size());
      Protocol protocol = round % 2 == 0 ? Protocol.SOTW : Protocol.DELTA;
      onSmallStack(
          text,
          () -> {
            FakeXdsStream client = ads.envoy(protocol, "fuzz");
            client.resume(ResourceType.CLUSTER, text, Map.of(text, text, "c0", text));
            client.subscribe(ResourceType.ROUTES, text, "r");
            client.request(ResourceType.ROUTES, text, text, Map.of(), text);
            client.request(ResourceType.CLUSTER, text, null, Map.of(), text);
            client.acceptAll();
            client.close();
          });
    }
    assertThat(ads.observed).noneMatch(line -> line.startsWith("error"));
    assertThat(ads.server.proxies()).isEmpty();
  }
}
