// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.engine.TypeState.Changes;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words requests. Names are sorted: the same subscriptions make the same request. */
final class Requests {
  private Requests() {}

  /**
   * The request that tells the server of {@code changes}, answers its last response if an answer is
   * owed, or both.
   *
   * @param node for the first request of a stream
   * @param firstOfType whether this stream has not mentioned the type before
   */
  static <T> Message build(
      AdsProtocol protocol,
      TypeState<T> type,
      Changes<T> changes,
      @Nullable Node node,
      boolean firstOfType,
      ServerConfig server) {
    return protocol == AdsProtocol.SOTW
        ? sotw(type, node)
        : delta(type, changes, node, firstOfType, server);
  }

  private static <T> Message sotw(TypeState<T> type, @Nullable Node node) {
    if (type.template == null) {
      DiscoveryRequest.Builder template =
          DiscoveryRequest.newBuilder().setTypeUrl(type.type.typeUrl());
      for (String name : sorted(names(type))) {
        template.addResourceNamesBytes(ByteString.copyFromUtf8(name)); // encoded once, sent often
      }
      type.template = template.build();
    }
    DiscoveryRequest.Builder request =
        ((DiscoveryRequest) type.template)
            .toBuilder().setVersionInfo(type.version).setResponseNonce(type.nonce);
    Answers.Answer answer = type.answers.next();
    if (answer != null) {
      request.setVersionInfo(answer.version()).setResponseNonce(answer.nonce());
      if (answer.error() != null) {
        request.setErrorDetail(answer.error());
      }
    }
    if (node != null) {
      request.setNode(node);
    }
    return request.build();
  }

  private static <T> Message delta(
      TypeState<T> type,
      Changes<T> changes,
      @Nullable Node node,
      boolean firstOfType,
      ServerConfig server) {
    List<String> added = new ArrayList<>();
    changes.added().forEach(subscription -> added.add(subscription.entry.name));
    DeltaDiscoveryRequest.Builder request =
        DeltaDiscoveryRequest.newBuilder()
            .setTypeUrl(type.type.typeUrl())
            .addAllResourceNamesSubscribe(sorted(added))
            .addAllResourceNamesUnsubscribe(sorted(new ArrayList<>(changes.removed())));
    Answers.Answer answer = type.answers.next();
    if (answer != null) {
      request.setResponseNonce(answer.nonce());
      if (answer.error() != null) {
        request.setErrorDetail(answer.error());
      }
    }
    if (node != null) {
      request.setNode(node);
    }
    if (firstOfType) {
      changes.added().forEach(subscription -> putVersion(request, subscription.entry, server));
    }
    return request.build();
  }

  /**
   * Tells the server what we have, so that it need not send it again. A copy that is only kept
   * because its successor was bad is left out: the server must state the truth about that one anew.
   */
  private static void putVersion(
      DeltaDiscoveryRequest.Builder request, Entry<?> entry, ServerConfig server) {
    if (entry.state() instanceof CacheEntry.Acked<?> acked && server.equals(entry.source())) {
      request.putInitialResourceVersions(entry.name, acked.resource().version());
    }
  }

  /** Everything that is watched, but for what the server is to forget first. */
  private static <T> List<String> names(TypeState<T> type) {
    List<String> names = new ArrayList<>(type.subscriptions().size());
    for (Subscription<T> subscription : type.subscriptions()) {
      if (subscription.entry.isWatched() && subscription.sent) {
        names.add(subscription.entry.name);
      }
    }
    return names;
  }

  private static List<String> sorted(List<String> names) {
    Collections.sort(names);
    return names;
  }
}
