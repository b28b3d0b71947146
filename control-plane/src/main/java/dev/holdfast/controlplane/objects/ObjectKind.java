// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TypedObject;
import dev.holdfast.controlplane.objects.read.ValueSchema;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kind that Holdfast reads.
 *
 * @param kind as authors write it
 * @param body reads the fields next to the metadata
 */
public record ObjectKind(
    String apiVersion,
    String kind,
    BiFunction<ConfigObject, DecodingContext, TypedObject> decoder,
    Function<Fields, ?> body) {
  /** All of them. */
  public static final List<ObjectKind> ALL =
      List.of(
          new ObjectKind(HttpProxy.API_VERSION, HttpProxy.KIND, HttpProxy::decode, HttpProxy::body),
          new ObjectKind(
              TlsCertificateDelegation.API_VERSION,
              TlsCertificateDelegation.KIND,
              TlsCertificateDelegation::decode,
              TlsCertificateDelegation::body),
          new ObjectKind(Ingress.API_VERSION, Ingress.KIND, Ingress::decode, Ingress::body),
          new ObjectKind(Service.API_VERSION, Service.KIND, Service::decode, Service::body),
          new ObjectKind(
              EndpointSlice.API_VERSION,
              EndpointSlice.KIND,
              EndpointSlice::decode,
              EndpointSlice::body),
          new ObjectKind(Secret.API_VERSION, Secret.KIND, Secret::decode, Secret::body),
          new ObjectKind(
              ExtensionPolicy.API_VERSION,
              ExtensionPolicy.KIND,
              ExtensionPolicy::decode,
              ExtensionPolicy::body));

  /** The fields next to the metadata that the decoder of this kind knows. */
  public ValueSchema.Group shape() {
    return ValueSchema.of(body);
  }

  /** Reads an object of any kind. */
  public static DecodedObject decode(ConfigObject object) {
    DecodingContext reading = new DecodingContext();
    for (ObjectKind kind : ALL) {
      if (kind.kind.equals(object.key().kind())) {
        return kind.read(object, reading);
      }
    }
    String known = ALL.stream().map(ObjectKind::kind).collect(Collectors.joining(", "));
    return refuse(
        object, reading, "kind", object.key().kind() + " (expected: one of " + known + ")");
  }

  private DecodedObject read(ConfigObject object, DecodingContext reading) {
    if (!apiVersion.equals(object.apiVersion())) {
      return refuse(
          object, reading, "apiVersion", object.apiVersion() + " (expected: " + apiVersion + ")");
    }
    TypedObject typed = decoder.apply(object, reading);
    List<LocatedProblem> problems = reading.problems();
    return problems.isEmpty()
        ? new DecodedObject.Valid(typed)
        : new DecodedObject.Invalid(object.key(), problems);
  }

  private static DecodedObject refuse(
      ConfigObject object, DecodingContext reading, String path, String message) {
    reading.add(
        path,
        Problem.Kind.UNSUPPORTED,
        DecodingContext.notSupported(message),
        object.body().position());
    return new DecodedObject.Invalid(object.key(), reading.problems());
  }
}
