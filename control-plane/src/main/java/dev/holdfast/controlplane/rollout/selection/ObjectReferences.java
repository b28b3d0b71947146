// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Scalar;
import dev.holdfast.controlplane.objects.DecodedObject;
import dev.holdfast.controlplane.objects.ObjectKind;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.ingress.Backend;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.read.TypedObject;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.check.References;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The objects that an object refers to, and the hosts that it claims. An object that does not
 * decode has neither.
 */
public final class ObjectReferences {
  private final String namespace;
  private final SortedSet<ObjectKey> targets = new TreeSet<>();
  private final SortedSet<String> claims = new TreeSet<>();

  /** Objects of other kinds refer to nothing, and decoding a Secret is expensive. */
  private static final Set<String> REFERRERS =
      Set.of(HttpProxy.KIND, ExtensionPolicy.KIND, Ingress.KIND, ExtensionService.KIND);

  private ObjectReferences(String namespace) {
    this.namespace = namespace;
  }

  public static ObjectReferences of(ConfigObject object) {
    ObjectReferences links = new ObjectReferences(object.key().namespace());
    if (REFERRERS.contains(object.key().kind())
        && ObjectKind.decode(object) instanceof DecodedObject.Valid valid) {
      links.add(valid.object());
    }
    return links;
  }

  /** Whether an object can be read at all. */
  public static boolean isReadable(ConfigObject object) {
    return ObjectKind.decode(object) instanceof DecodedObject.Valid;
  }

  /**
   * The object that a policy is for, even if the policy cannot be read otherwise; null if that is
   * not known, or the object is no policy.
   */
  public static @Nullable ObjectKey policyTarget(ConfigObject object) {
    if (!object.key().kind().equals(ExtensionPolicy.KIND)) {
      return null;
    }
    return object.body().get("spec") instanceof Mapping spec
            && spec.get("targetRef") instanceof Mapping target
            && target.get("name") instanceof Scalar name
            && name.value() instanceof String text
        ? new ObjectKey(HttpProxy.KIND, object.key().namespace(), text)
        : null;
  }

  /** The referenced objects. */
  public SortedSet<ObjectKey> targets() {
    return targets;
  }

  /** The claimed hosts. */
  public SortedSet<String> claims() {
    return claims;
  }

  private void add(TypedObject object) {
    if (object instanceof HttpProxy proxy) {
      add(proxy);
    } else if (object instanceof ExtensionPolicy policy) {
      targets.add(policy.target().proxy());
    } else if (object instanceof Ingress ingress) {
      add(ingress);
    } else if (object instanceof ExtensionService extension) {
      targets.add(new ObjectKey(Service.KIND, namespace, extension.target().name()));
      if (extension.validation() != null) {
        secret(extension.validation().caSecret());
      }
    }
  }

  private void add(Ingress ingress) {
    ingress.rules().forEach(rule -> claims.add(rule.host()));
    if (ingress.defaultBackend() != null) {
      claims.add("*");
    }
    service(ingress.defaultBackend());
    ingress.rules().forEach(rule -> rule.paths().forEach(path -> service(path.backend())));
    ingress.tls().stream()
        .map(Ingress.Tls::secretName)
        .filter(name -> !name.isEmpty())
        .forEach(this::secret);
  }

  private void service(@Nullable Backend backend) {
    if (backend != null) {
      targets.add(new ObjectKey(Service.KIND, namespace, backend.service()));
    }
  }

  private void add(HttpProxy proxy) {
    proxy
        .includes()
        .forEach(to -> targets.add(new ObjectKey(HttpProxy.KIND, to.namespace(), to.name())));
    for (Route route : proxy.routes()) {
      if (route.action() instanceof Route.Forward forward) {
        services(forward.services());
      }
    }
    if (proxy.tcpProxy() != null) {
      services(proxy.tcpProxy().services());
      if (proxy.tcpProxy().include() != null) {
        targets.add(
            new ObjectKey(
                HttpProxy.KIND,
                proxy.tcpProxy().include().namespace(),
                proxy.tcpProxy().include().name()));
      }
    }
    if (proxy.virtualHost() != null) {
      claims.add(proxy.virtualHost().fqdn());
      if (proxy.virtualHost().authorization() != null) {
        targets.add(References.extension(proxy.virtualHost().authorization(), namespace));
      }
      if (proxy.virtualHost().tls() != null) {
        tls(proxy.virtualHost().tls());
      }
    }
  }

  private void tls(Tls tls) {
    secret(tls.secretName());
    if (tls.clientValidation() != null) {
      secret(tls.clientValidation().caSecret());
      secret(tls.clientValidation().crlSecret());
    }
  }

  private void services(List<RouteService> services) {
    for (RouteService service : services) {
      targets.add(new ObjectKey(Service.KIND, namespace, service.name()));
      if (service.validation() != null) {
        secret(service.validation().caSecret());
      }
    }
  }

  private void secret(@Nullable String reference) {
    if (reference != null) {
      int slash = reference.indexOf('/');
      targets.add(
          new ObjectKey(
              Secret.KIND,
              slash < 0 ? namespace : reference.substring(0, slash),
              reference.substring(slash + 1)));
    }
  }
}
