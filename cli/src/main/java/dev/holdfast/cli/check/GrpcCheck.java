// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.cluster.ClusterDecoder;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignmentDecoder;
import dev.holdfast.xds.resources.listener.ListenerDecoder;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What gRPC clients without a proxy make of objects, by the rules of Holdfast's own client: the
 * routes that they cannot use, and the resources that they would refuse.
 */
final class GrpcCheck {
  static final String CLIENT = "gRPC clients";
  private static final String ROUTES = "api/";

  private final ObjectTree tree;
  private final Snapshot snapshot;
  private final Translation translation;
  private final List<Finding> findings = new ArrayList<>();

  private GrpcCheck(ObjectTree tree, TranslationOptions options) {
    this.tree = tree;
    SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>(tree.objects());
    this.translation = Translation.empty(options).with(all);
    this.snapshot = translation.snapshot();
  }

  /** The findings of a tree; what is wrong with its objects by themselves is not among them. */
  static List<Finding> of(ObjectTree tree, TranslationOptions options) {
    return new GrpcCheck(tree, options).run();
  }

  private List<Finding> run() {
    translation
        .objects()
        .forEach(
            (key, object) -> {
              if (object.grpc().offered()) {
                object
                    .grpc()
                    .unavailable()
                    .forEach(
                        problem ->
                            add(Finding.UNAVAILABLE, key, problem.path(), "", problem.message()));
              }
            });
    snapshot.byName(ResourceType.LISTENER).forEach(this::decode);
    snapshot
        .byName(ResourceType.ROUTES)
        .forEach(
            routes -> {
              if (routes.name().startsWith(ROUTES)) {
                decode(routes);
                routes.clusters().forEach((name, unused) -> cluster(name));
              }
            });
    return findings.stream().distinct().toList();
  }

  private void cluster(String name) {
    Resource cluster = snapshot.get(ResourceType.CLUSTER, name);
    if (cluster != null) {
      decode(cluster);
    }
    Resource endpoints = snapshot.get(ResourceType.ENDPOINTS, name);
    if (endpoints != null) {
      decode(endpoints);
    }
  }

  private void decode(Resource resource) {
    ByteString body = resource.body();
    DecodeOptions options = DecodeOptions.defaults();
    Decoded<?> decoded =
        switch (resource.id().type()) {
          case LISTENER -> ListenerDecoder.decode(body, options);
          case ROUTES -> RouteConfigurationDecoder.decode(body, options);
          case CLUSTER -> ClusterDecoder.decode(body, options);
          case ENDPOINTS -> ClusterLoadAssignmentDecoder.decode(body, options);
          case SECRET, EXTENSION, VIRTUAL_HOST ->
              throw new IllegalArgumentException(resource.id() + ": not for gRPC clients");
        };
    if (decoded instanceof Decoded.Invalid<?> invalid) {
      invalid.problems().forEach(problem -> blame(resource, problem));
    }
  }

  /** The innermost place around the problem says whose it is. */
  private void blame(Resource resource, Problem problem) {
    SourcePlace innermost = null;
    for (SourcePlace place : resource.provenance().places()) {
      if (problem.path().startsWith(place.path())
          && (innermost == null || place.path().length() >= innermost.path().length())) {
        innermost = place;
      }
    }
    if (innermost != null) {
      add(
          Finding.REFUSED,
          innermost.object(),
          innermost.field(),
          resource.id().type().word() + " " + resource.name(),
          problem.toString());
    }
  }

  private void add(String reason, ObjectKey key, String field, String resource, String message) {
    ConfigObject object = tree.objects().get(key);
    if (object != null) {
      AuthorText place = AuthorText.at(field, object);
      findings.add(
          new Finding(
              Finding.Severity.ERROR,
              reason,
              key,
              place.position(),
              place.path(),
              List.of(CLIENT),
              resource,
              message));
    }
  }
}
