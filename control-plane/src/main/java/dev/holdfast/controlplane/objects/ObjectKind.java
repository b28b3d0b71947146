// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import dev.holdfast.base.NearestName;
import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
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

/**
 * A kind of object that Holdfast reads.
 *
 * @param kind as authors write it
 * @param body decodes the fields next to the metadata
 */
public record ObjectKind(
    String apiVersion,
    String kind,
    BiFunction<ConfigObject, DecodingContext, TypedObject> decoder,
    Function<Fields, ?> body) {
  /** All kinds. */
  public static final List<ObjectKind> ALL =
      List.of(
          new ObjectKind(HttpProxy.API_VERSION, HttpProxy.KIND, HttpProxy::decode, HttpProxy::body),
          new ObjectKind(
              TlsCertificateDelegation.API_VERSION,
              TlsCertificateDelegation.KIND,
              TlsCertificateDelegation::decode,
              TlsCertificateDelegation::body),
          new ObjectKind(
              ExtensionService.API_VERSION,
              ExtensionService.KIND,
              ExtensionService::decode,
              ExtensionService::body),
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

  /** The schema of the fields next to the metadata. */
  public ValueSchema.Group schema() {
    return ValueSchema.of(body);
  }

  /** Decodes an object of any kind. */
  public static DecodedObject decode(ConfigObject object) {
    DecodingContext context = new DecodingContext();
    for (ObjectKind kind : ALL) {
      if (kind.kind.equals(object.key().kind())) {
        return kind.decodeBody(object, context);
      }
    }
    List<String> known = ALL.stream().map(ObjectKind::kind).toList();
    String near = NearestName.of(object.key().kind(), known);
    return unsupported(
        object,
        context,
        "kind",
        object.key().kind()
            + (near == null
                ? " (expected: one of " + String.join(", ", known) + ")"
                : " (did you mean " + near + "?)"));
  }

  private DecodedObject decodeBody(ConfigObject object, DecodingContext context) {
    if (!apiVersion.equals(object.apiVersion())) {
      return unsupported(
          object, context, "apiVersion", object.apiVersion() + " (expected: " + apiVersion + ")");
    }
    TypedObject typed = decoder.apply(object, context);
    List<LocatedProblem> problems = context.problems();
    return problems.isEmpty()
        ? new DecodedObject.Valid(typed, context.leftOut())
        : new DecodedObject.Invalid(object.key(), problems, typed);
  }

  private static DecodedObject unsupported(
      ConfigObject object, DecodingContext context, String path, String message) {
    context.add(
        path,
        Problem.Kind.UNSUPPORTED,
        DecodingContext.notSupported(message),
        object.body().position());
    return new DecodedObject.Invalid(object.key(), context.problems(), null);
  }
}
