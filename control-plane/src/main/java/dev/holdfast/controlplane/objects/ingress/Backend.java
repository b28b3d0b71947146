// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.ingress;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;

/**
 * A port of a service, by number or by name.
 *
 * @param portNumber 0 if the port is given by name
 */
public record Backend(String service, int portNumber, String portName) {
  private static final Backend NONE = new Backend("", 0, "");

  static Backend decode(Fields fields) {
    Backend backend = fields.group("service", Backend::service);
    fields.reject("resource", "backends that are not services");
    if (!fields.has("service") && !fields.has("resource")) {
      fields.missing("service", "missing");
    }
    return backend == null ? NONE : backend;
  }

  private static Backend service(Fields fields) {
    String name = fields.requiredText("name", TextRules.NAME);
    Backend port = fields.requiredGroup("port", Backend::port);
    return new Backend(name, port.portNumber(), port.portName());
  }

  private static Backend port(Fields fields) {
    Long number = fields.integer("number", 1, 65535);
    String name = fields.textOrEmpty("name", TextRules.NAMESPACE);
    if (fields.has("number") == fields.has("name")) {
      fields.invalid(
          (fields.has("number") ? "both number and name" : "neither number nor name")
              + " (expected: one of them)");
    }
    return new Backend("", number == null ? 0 : number.intValue(), name);
  }
}
