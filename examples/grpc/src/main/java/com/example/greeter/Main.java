// SPDX-License-Identifier: Apache-2.0
package com.example.greeter;

import java.util.concurrent.TimeUnit;

/** {@code server PORT}, or {@code client TARGET [CALLS]}. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 2 && args[0].equals("server")) {
      GreeterServer server = GreeterServer.start(Integer.parseInt(args[1]));
      System.out.println("greeter on port " + server.port());
      server.awaitEnd();
    } else if (args.length >= 2 && args.length <= 3 && args[0].equals("client")) {
      try (GreeterClient client = new GreeterClient(args[1])) {
        int calls = args.length == 3 ? Integer.parseInt(args[2]) : 1;
        for (int i = 0; i < calls; i++) {
          if (i > 0) {
            TimeUnit.MILLISECONDS.sleep(200);
          }
          System.out.println(client.greet("call " + (i + 1)));
        }
      }
    } else {
      System.err.println("usage: server PORT | client TARGET [CALLS]");
      System.exit(2);
    }
  }
}
